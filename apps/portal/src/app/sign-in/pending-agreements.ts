import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type Keycloak from 'keycloak-js'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { safeRedirect } from './redirect-rules.ts'
import { inBrowser } from '../../parts/kept/remembered.ts'
import { type Identity, signOut } from '../session/identity.ts'

export type OwnAgreement = Result<typeof coreContract.endpoints.agreementsLast>[number]

export type Pending = {
  agreements: readonly OwnAgreement[]
  /** The person came by themselves, to read. */
  reading: boolean
  accept: (ids: number[]) => Promise<unknown>
  /** On to where the person wanted to go; not asked again in this session. */
  goOn: () => void
  signOut: () => Promise<void>
}

const path = '/agreements'
/** The session that was asked last: once in each is enough (T-03). */
const remembered = 'agreements'

/**
 * Agreements that the person has to accept before the portal opens, requested once in a session; undefined if
 * there are none. The address becomes `/agreements`, with the way back.
 */
export async function pendingAgreements(
  identity: Identity,
  wanted: string,
): Promise<Pending | undefined> {
  const { keycloak } = identity
  const asked = new URL(wanted, location.origin)
  const reading = asked.pathname === path
  const session = keycloak.sessionId ?? ''
  if (!reading && isSettled(keycloak, session)) return undefined
  const all = await current()
  const open = all.filter(({ acceptedAt }) => acceptedAt === null)
  if (open.length === 0) {
    inBrowser.set(remembered, session)
    if (!reading) return undefined
  }
  const then = wayBack(reading ? asked.searchParams.get('redirectTo') : wanted)
  const address = `${path}?${new URLSearchParams({ redirectTo: then })}`
  history.replaceState(null, '', address)
  return {
    agreements: open.length > 0 ? open : all,
    reading: open.length === 0,
    accept: (ids) => earlyCalls.acceptAgreements({ body: { ids } }),
    goOn: () => {
      inBrowser.set(remembered, session)
      location.assign(then)
    },
    signOut: () => signOut(identity),
  }
}

/** Asked before in this session; and who acts as somebody else cannot agree in their place. */
const isSettled = ({ tokenParsed }: Keycloak, session: string) =>
  tokenParsed?.['impersonator'] !== undefined || inBrowser.get(remembered, '') === session

function wayBack(wanted: string | null) {
  const target = safeRedirect(wanted, location.origin)
  return target?.kind === 'inside' ? target.path : '/home'
}

/** The present agreements; none if the call fails, so that people can work. The next start asks again. */
async function current() {
  try {
    return await earlyCalls.agreementsLast({ query: {} })
  } catch (cause) {
    reportProblem('Agreements could not be read', cause)
    return []
  }
}
