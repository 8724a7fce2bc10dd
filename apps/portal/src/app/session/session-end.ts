import type { KeycloakLoginOptions } from 'keycloak-js'
import type { Identity } from './identity.ts'

/** Why a session ended, as the sign-in page is told. */
export type Ending = 'idle' | 'longest' | 'tab' | 'ended'
/** End of a session that leaves the page open for a new sign-in. */
export type OpenEnding = 'idle' | 'longest'

const minuteMs = 60_000
/** As identity ends sessions: unused, and in any case. */
const idleMs = 30 * minuteMs
const longestMs = 600 * minuteMs
const longestActingMs = 60 * minuteMs
/** A session that ends this close to a limit has ended by the limit. */
const nearMs = 2 * minuteMs

type Claims = Record<string, unknown> | undefined

/** Latest end of the session of these claims, in ms since 1970; undefined if identity does not name its beginning. */
export function latestEnd(idToken: Claims, token: Claims): number | undefined {
  const began = idToken?.['auth_time']
  if (typeof began !== 'number') return undefined
  const acting = token?.['impersonator'] !== undefined
  return began * 1000 + (acting ? longestActingMs : longestMs)
}

type Known = { keptAt: number; latestEnd: number | undefined; inOtherTab: boolean; now: number }

/** The reason for the end of a session that was last kept alive at `keptAt`. */
export function endingOf({ keptAt, latestEnd: end, inOtherTab, now }: Known): Ending {
  if (now - keptAt >= idleMs - nearMs) return 'idle'
  if (end !== undefined && now >= end - nearMs) return 'longest'
  return inOtherTab ? 'tab' : 'ended'
}

/** True if the page stays open for a new sign-in: the session expired, and unsaved changes may still be wanted. */
export const staysOpen = (ending: Ending): ending is OpenEnding =>
  ending === 'idle' || ending === 'longest'

/**
 * From here calls wait, and the adapter leaves the page alone, until the returned is called: the person
 * has signed in again, or leaves.
 */
export function awaitSignIn(identity: Identity) {
  const { keycloak } = identity
  const { login } = keycloak
  const { promise, resolve } = Promise.withResolvers<void>()
  identity.signedIn = promise
  keycloak.login = async () => undefined
  return () => {
    keycloak.login = login
    identity.signedIn = undefined
    resolve()
  }
}

type Told = { ending: Ending; username: string }

/** Address of the sign-in page, with the reason and the user name. */
export async function signInAddress(
  { keycloak, place, realm }: Identity,
  { ending, username }: Told,
  options: KeycloakLoginOptions = {},
) {
  const loginHint = username.replace(`@${realm}`, '')
  const address = new URL(await keycloak.createLoginUrl({ loginHint, ...options }))
  // An identity of somebody else's does not know the parameter.
  if (!place.external) address.searchParams.set('signed_out', ending)
  return address
}

/** From here the adapter leads to that page. */
export function sayAtSignIn(identity: Identity, told: Told) {
  identity.keycloak.login = async (options) =>
    location.assign(await signInAddress(identity, told, options))
}
