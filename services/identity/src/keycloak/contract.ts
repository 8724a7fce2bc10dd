import { definePartContract } from '@longreach/kit/contract'

export const keycloakContract = definePartContract({
  errors: {
    /** Accounts are in Keycloak, and only its own console can do this. */
    not_with_keycloak: 422,
    /** Keycloak cannot be reached, is in trouble itself, or shuts us out. */
    keycloak_away: 503,
  },
})
