/** Where people go who forgot their password, below their realm; Keycloak's path for it. */
export const forgottenPath = '/login-actions/reset-credentials'
