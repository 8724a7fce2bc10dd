import type Keycloak from 'keycloak-js'

const otherTab = new WeakSet<Keycloak>()

/** Whether identity's frame saw the session end in another tab of this browser. */
export const endedInOtherTab = (keycloak: Keycloak) => otherTab.has(keycloak)

/**
 * Watch by identity's frame whether the session ends elsewhere, and then end it here. A second adapter
 * does it, which begins with the tokens of the first and never refreshes them.
 */
export async function watchSession(keycloak: Keycloak, watch: Keycloak) {
  const { token, refreshToken, idToken } = keycloak
  if (token === undefined || refreshToken === undefined) return
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
