import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { accountEndpoints } from './accounts/account-contract.ts'
import { linkEndpoints } from './links/link-contract.ts'
import { clientEndpoints } from './clients/client-contract.ts'
import { impersonationEndpoints } from './impersonation/impersonation-contract.ts'
import { securityEndpoints } from './account/security-contract.ts'

export { Account } from './accounts/account-contract.ts'

/** What other services of the house ask identity for. The public side is OpenID Connect, mounted beside it. */
export const identityContract = defineContract({
  service: 'identity',
  base: '/auth/internal',
  errors: {
    no_such_realm: 404,
    no_such_account: 404,
    no_such_client: 404,
    /** Accounts are in Keycloak, and only its own console can do this. */
    not_with_keycloak: 422,
    /** Keycloak cannot be reached, is in trouble itself, or shuts us out. */
    keycloak_away: 503,
    username_taken: 409,
    password_refused: 422,
    /** The present password, asked for to set a new one. */
    password_wrong: 422,
    /** Too many wrong passwords or codes. */
    locked: 429,
    code_refused: 422,
    passkey_refused: 422,
    no_such_credential: 404,
    no_such_session: 404,
    /** Changing how one signs in needs a young sign-in. */
    sign_in_again: 403,
    /** An administrator who acts as somebody. */
    acting_as_somebody: 403,
    no_such_mail: 404,
    email_refused: 422,
    /** The link in the mail is dead: a new one is needed, not another attempt. */
    mail_outlived: 409,
    /** Without a mail server an address cannot be proven. */
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
    /** A session ended: by its person, an administrator, or time. */
    sessionEnded: {
      topic: 'identity.session_ended',
      payload: z.object({ session: z.string(), sub: z.string() }),
    },
    /** A person changed their own name or address, or proved it. */
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
