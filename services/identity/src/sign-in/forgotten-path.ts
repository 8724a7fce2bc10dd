/** Path of the page for a forgotten password below its realm, as in Keycloak. */
export const forgottenPath = '/login-actions/reset-credentials'
