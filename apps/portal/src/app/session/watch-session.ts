import type Keycloak from 'keycloak-js'

const otherTab = new WeakSet<Keycloak>()
const watching = new WeakMap<Keycloak, Keycloak>()

/** True if identity's frame saw the session end in another tab of this browser. */
export const endedInOtherTab = (keycloak: Keycloak) => otherTab.has(keycloak)

/**
 * Watch by identity's frame whether the session ends elsewhere, and then end it here. A second adapter
 * does it, which begins with the tokens of the first and never refreshes them.
 */
export async function watchSession(keycloak: Keycloak, watch: Keycloak) {
  const { token, refreshToken, idToken } = keycloak
  if (token === undefined || refreshToken === undefined) return
  stopWatching(keycloak)
  watching.set(keycloak, watch)
  watch.onAuthLogout = () => {
    otherTab.add(keycloak)
    keycloak.clearToken()
  }
  // Where frames may not see identity's cookies, the adapter would refresh instead.
  watch.updateToken = async () => false
  await watch.init({
    token,
    refreshToken,
    ...(idToken !== undefined && { idToken }),
    checkLoginIframe: true,
    checkLoginIframeInterval: 5,
    messageReceiveTimeout: 10_000,
  })
}

/** The session of before is over: what becomes of it tells nothing about the one of now. */
export function stopWatching(keycloak: Keycloak) {
  const watch = watching.get(keycloak)
  otherTab.delete(keycloak)
  if (watch === undefined) return
  watch.onAuthLogout = () => undefined
  watch.clearToken()
}
