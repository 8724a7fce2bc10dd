import Keycloak from 'keycloak-js'
import { inTab } from '../lib/remembered.ts'
import { reportProblem } from '../lib/problems.ts'

const checkEveryMs = 60_000
const refreshBelowS = 70
const keepAliveMs = 180_000

/** Identity of the realm at this origin; with the scope of the chosen organization if there is one. */
export const identityOf = (realm: string) =>
  new Keycloak({ url: `${location.origin}/auth`, realm, clientId: 'portal' })

/** The one address that identity sends people back to; where they wanted to go waits in the tab. */
const redirectUri = () => `${location.origin}/`

/**
 * Sign in, or come back from doing so. The page is left when a person must sign in first;
 * resolves only with a person.
 */
export async function signIn(keycloak: Keycloak, wanted: string, returning: boolean) {
  if (!returning) inTab.set('deepLink', wanted)
  const scope = inTab.get('scope')
  await keycloak.init({
    onLoad: 'login-required',
    pkceMethod: 'S256',
    checkLoginIframe: true,
    checkLoginIframeInterval: 5,
    messageReceiveTimeout: 10_000,
    redirectUri: redirectUri(),
    ...(scope !== undefined && { scope }),
  })
  return inTab.take('deepLink') ?? (returning ? '/' : wanted)
}

/** Make the organization the one of this tab: its scope, and a token for it. The page is left. */
export async function enterOrganization(keycloak: Keycloak, resourceId: string, then: string) {
  inTab.set('scope', `org:${resourceId} app:*`)
  inTab.set('deepLink', then)
  await keycloak.login({ scope: `org:${resourceId} app:*`, redirectUri: redirectUri() })
}

/** Prove who one is once more, for what needs a young sign-in; then back to a path. The page is left. */
export async function signInAgain(keycloak: Keycloak, then: string) {
  const scope = inTab.get('scope')
  inTab.set('deepLink', then)
  await keycloak.login({
    prompt: 'login',
    redirectUri: redirectUri(),
    ...(scope !== undefined && { scope }),
  })
}

/** Forget the organization and the person; identity ends the session for every tab. */
export async function signOut(keycloak: Keycloak) {
  forgetSelection()
  try {
    await keycloak.logout({ redirectUri: redirectUri() })
  } catch (cause) {
    throw new Error('Logout failed, request returned an error code.', { cause })
  }
}

export const forgetSelection = () => inTab.drop('scope', 'deepLink', 'castDeviceMessage')

/** Keep the token fresh while the page is open; `ended` is called when the session is over. */
export function keepSession(keycloak: Keycloak, ended: () => void) {
  keycloak.onAuthLogout = ended
  keycloak.onAuthRefreshError = () => {
    if (!keycloak.authenticated) ended()
  }
  const refresh = async () => {
    try {
      await keycloak.updateToken(refreshBelowS)
    } catch (cause) {
      reportProblem('Token refresh failed', cause)
    }
  }
  const ping = async () => {
    try {
      await keycloak.loadUserInfo()
    } catch (cause) {
      reportProblem('Keep-alive failed', cause)
    }
  }
  setInterval(() => void refresh(), checkEveryMs)
  setInterval(() => void ping(), keepAliveMs)
}

/**
 * Ask identity whether the session still lives, by a refresh. When it was ended elsewhere, by its
 * person or an administrator, the adapter forgets the token and goes to the sign-in page.
 */
export async function proveSession(keycloak: Keycloak) {
  try {
    await keycloak.updateToken(-1)
  } catch (cause) {
    reportProblem('The session is over', cause)
  }
}

/** A token with at least half a minute to live. */
export async function freshToken(keycloak: Keycloak) {
  if (!keycloak.authenticated) return undefined
  try {
    await keycloak.updateToken(30)
  } catch (cause) {
    reportProblem('Token refresh failed', cause)
  }
  return keycloak.token
}
