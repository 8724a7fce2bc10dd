import type Keycloak from 'keycloak-js'
import type { KeycloakConfig } from 'keycloak-js'
import { inTab } from '../../parts/kept/remembered.ts'
import { settingsOfRealm } from '../../parts/session/settings.ts'
import { chosenIn, identityPlace, type IdentityPlace } from './identity-place.ts'
import { identityLimitMs, inTime } from '../../parts/api/timeouts.ts'
import { silentAnswer } from './silent-answer.ts'
import { reportProblem } from '../../parts/api/problems.ts'

const watchAfterMs = 3_000

/** Identity of a realm: the adapter that speaks to it, and where it is. */
export type Identity = {
  keycloak: Keycloak
  place: IdentityPlace
  realm: string
  /** While the session is over and the page waits: resolves once somebody signed in again. */
  signedIn?: Promise<void> | undefined
}

/** Identity of the realm, where the settings say that its people sign in. */
export async function identityOf(realm: string): Promise<Identity> {
  const place = identityPlace(await settingsOfRealm(realm), realm, location.origin)
  return { keycloak: await adapterFor(place), place, realm }
}

/** The adapter's file, which the sign-in page does not need; asked for early, it comes while the realm is found. */
const adapterFile = () => import('keycloak-js')
export const adapterAhead = () =>
  void adapterFile().catch((cause: unknown) => reportProblem('The adapter did not come', cause))

async function adapterFor(place: IdentityPlace) {
  const { default: Adapter } = await adapterFile()
  return new Adapter(adapterConfig(place))
}

/**
 * Configuration of the adapter. At the portal's own origin identity is no third party: there the adapter
 * gets the addresses themselves, and does not load the frames that test whether third-party cookies
 * are blocked.
 */
function adapterConfig({ url, realm, external }: IdentityPlace): KeycloakConfig {
  const clientId = 'portal'
  if (external || new URL(url).origin !== location.origin) return { url, realm, clientId }
  const at = `${url}/realms/${encodeURIComponent(realm)}/protocol/openid-connect`
  const oidcProvider = {
    authorization_endpoint: `${at}/auth`,
    token_endpoint: `${at}/token`,
    end_session_endpoint: `${at}/logout`,
    check_session_iframe: `${at}/login-status-iframe.html`,
    userinfo_endpoint: `${at}/userinfo`,
  }
  return { clientId, oidcProvider }
}

const adapterStart = (place: IdentityPlace) => ({
  pkceMethod: 'S256' as const,
  // Watched a little later: its frames are round trips that nobody should wait for.
  checkLoginIframe: false,
  redirectUri: redirectUri(),
  ...scopeNow(place),
})

/**
 * Ask identity for a code without a page of it, in a tab whose person was signed in. The code stands in the
 * address then, as after a sign-in; without one the person has to sign in.
 */
async function renewed({ place, realm }: Identity) {
  const here = new URL(place.url).origin === location.origin && !place.external
  if (!here || inTab.get('realm') !== realm || inTab.get('scope') === undefined) return false
  try {
    const asking = await adapterFor(place)
    await asking.init(adapterStart(place))
    const options = { prompt: 'none' as const, redirectUri: redirectUri(), ...scopeNow(place) }
    const answer = await silentAnswer(await asking.createLoginUrl(options))
    if (answer === undefined) return false
    history.replaceState(null, '', `${location.pathname}${location.search}#${answer}`)
    return true
  } catch (cause) {
    reportProblem('The session was not renewed silently', cause)
    return false
  }
}

/** The scope of the organization that the tab has chosen, if there is one to send. */
export function scopeNow({ scopeFor }: IdentityPlace) {
  const chosen = chosenIn(inTab.get('scope'))
  const scope = chosen === undefined ? undefined : scopeFor(chosen)
  return { ...(scope !== undefined && { scope }) }
}

/** The one address that identity sends people back to; where they wanted to go waits in the tab. */
export const redirectUri = () => `${location.origin}/`

/**
 * Sign in, or come back from doing so. The page is left when a person must sign in first;
 * resolves only with a person.
 */
export async function signIn(identity: Identity, wanted: string, returning: boolean) {
  const { keycloak, place, realm } = identity
  if (!returning) inTab.set('deepLink', wanted)
  // Who comes back names the realm as it is called there.
  if (place.external) inTab.set('leftFor', realm)
  const answered = returning || (await renewed(identity))
  const begun = keycloak.init({ onLoad: 'login-required', ...adapterStart(place) })
  // Only who returns waits for a call; who must sign in leaves the page.
  await (answered ? inTime(begun) : begun)
  watchLater(identity)
  return inTab.take('deepLink') ?? (returning ? '/' : wanted)
}

/** Watch for an end of the session elsewhere, a little later. */
export const watchLater = (identity: Identity) =>
  void setTimeout(() => void watched(identity), watchAfterMs)

async function watched({ keycloak, place }: Identity) {
  try {
    const { watchSession } = await import('./watch-session.ts')
    await watchSession(keycloak, await adapterFor(place))
  } catch (cause) {
    reportProblem('The session is not watched', cause)
  }
}

/** Make the organization the one of this tab: its scope, and a token for it. The page is left. */
export async function enterOrganization(
  { keycloak, place }: Identity,
  resourceId: string,
  then: string,
) {
  inTab.set('scope', `org:${resourceId} app:*`)
  inTab.set('deepLink', then)
  await keycloak.login({ ...scopeNow(place), redirectUri: redirectUri() })
}

/** Prove who one is once more, for what needs a young sign-in; then back to a path. The page is left. */
export async function signInAgain({ keycloak, place }: Identity, then: string) {
  inTab.set('deepLink', then)
  await keycloak.login({
    prompt: 'login',
    redirectUri: redirectUri(),
    ...scopeNow(place),
  })
}

/** Address of Keycloak's account pages, with a link back to the portal. */
export const accountConsole = (keycloak: Keycloak) =>
  keycloak.createAccountUrl({ redirectUri: redirectUri() })

/**
 * End the session for every tab by a call, so that a refusal is told where the person is; then forget
 * the organization and the person, and begin anew.
 */
export async function signOut(identity: Identity) {
  const answer = await fetch(...logoutCall(identity))
  if (!answer.ok && answer.type !== 'opaqueredirect') {
    throw new Error('Logout failed, request returned an error code.')
  }
  forgetSelection()
  inTab.drop('person')
  location.assign('/')
  await new Promise<never>(() => undefined) // the browser is on its way
}

/** Sign-out call: the built-in identity takes the ID token; an external Keycloak lets pages end a session by its refresh token. */
function logoutCall({ keycloak, place }: Identity): [string, RequestInit] {
  const { clientId = '', idToken = '', refreshToken = '' } = keycloak
  const [address = ''] = keycloak.createLogoutUrl().split('?')
  const proof = place.external ? { refresh_token: refreshToken } : { id_token_hint: idToken }
  const body = new URLSearchParams({ client_id: clientId, ...proof })
  const signal = AbortSignal.timeout(identityLimitMs)
  // Where identity would lead then does not matter.
  return [address, { method: 'POST', body, redirect: 'manual', signal }]
}

export const forgetSelection = () =>
  inTab.drop('scope', 'deepLink', 'castDeviceMessage', 'openedItems', 'heading')

/**
 * Ask identity whether the session still lives, by a refresh. When it was ended elsewhere, by its
 * person or an administrator, the adapter forgets the token and goes to the sign-in page.
 */
export async function proveSession(keycloak: Keycloak) {
  try {
    await inTime(keycloak.updateToken(-1))
  } catch (cause) {
    reportProblem('The session is over', cause)
  }
}

/** A token with at least half a minute to live; waits for who must sign in again. */
export async function freshToken(identity: Identity) {
  const { keycloak } = identity
  try {
    if (keycloak.authenticated) await inTime(keycloak.updateToken(30))
  } catch (cause) {
    reportProblem('Token refresh failed', cause)
  }
  await identity.signedIn
  return keycloak.token
}

/** Exchange the person's access token for a permission ticket: at this origin, wherever they signed in. */
export const ticketExchange =
  (keycloak: Keycloak, realm: string) => async (form: URLSearchParams) => {
    if (!keycloak.authenticated || keycloak.token === undefined) {
      throw new Error('Cannot acquire token: are we logged in?')
    }
    const way = `/auth/realms/${encodeURIComponent(realm)}/protocol/openid-connect/token`
    const answer = await fetch(way, {
      method: 'POST',
      headers: { authorization: `Bearer ${keycloak.token}` },
      body: form,
      signal: AbortSignal.timeout(identityLimitMs),
    })
    if (answer.status === 401) await proveSession(keycloak)
    return answer
  }
