import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { accountEndpoints } from './accounts/account-contract.ts'
import { linkEndpoints } from './links/link-contract.ts'
import { clientEndpoints } from './clients/client-contract.ts'
import { impersonationEndpoints } from './impersonation/impersonation-contract.ts'
import { securityEndpoints } from './account/security-contract.ts'

export { Account } from './accounts/account-contract.ts'

/**
 * Calls, errors and events of identity for other services. The public side is OpenID Connect, mounted
 * beside it.
 */
export const identityContract = defineContract({
  service: 'identity',
  base: '/auth/internal',
  errors: {
    no_such_realm: 404,
    no_such_account: 404,
    no_such_client: 404,
    /** Accounts are in Keycloak; this is done in its own console. */
    not_with_keycloak: 422,
    /** Keycloak is unreachable, fails, or refuses our administration client. */
    keycloak_away: 503,
    username_taken: 409,
    password_refused: 422,
    /** The current password, required to set a new one, is wrong. */
    password_wrong: 422,
    /** Lockout of sign-in after too many wrong passwords or codes. */
    locked: 429,
    code_refused: 422,
    passkey_refused: 422,
    no_such_credential: 404,
    no_such_session: 404,
    /** A change of credentials needs a recent sign-in. */
    sign_in_again: 403,
    /** Refused to an administrator who impersonates a person. */
    acting_as_somebody: 403,
    no_such_mail: 404,
    email_refused: 422,
    /** The link in the mail has expired: a new link is needed, not another attempt. */
    mail_outlived: 409,
    /** The call needs a mail server, and none is configured. */
    no_mail_server: 409,
  },
  endpoints: {
    ...accountEndpoints,
    ...linkEndpoints,
    ...clientEndpoints,
    ...impersonationEndpoints,
    ...securityEndpoints,
  },
  events: {
    /** A session ended: by its person, an administrator, or expiry. */
    sessionEnded: {
      topic: 'identity.session_ended',
      payload: z.object({ session: z.string(), sub: z.string() }),
    },
    /** A person changed or proved their name or e-mail address. */
    accountChanged: {
      topic: 'identity.account_changed',
      payload: z.object({
        sub: z.string(),
        email: z.string(),
        firstName: z.string(),
        lastName: z.string(),
      }),
    },
  },
})
