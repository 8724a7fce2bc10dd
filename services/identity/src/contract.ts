import { joinContracts } from '@longreach/kit/contract'
import { accountContract } from './account/contract.ts'
import { accountsContract } from './accounts/contract.ts'
import { clientsContract } from './clients/contract.ts'
import { impersonationContract } from './impersonation/contract.ts'
import { keycloakContract } from './keycloak/contract.ts'
import { linksContract } from './links/contract.ts'
import { sessionsContract } from './sessions/contract.ts'

export { Account } from './accounts/account-contract.ts'

/**
 * Calls, errors and events of identity for other services. The public side is OpenID Connect, mounted
 * beside it.
 */
export const identityContract = joinContracts(
  {
    service: 'identity',
    base: '/auth/internal',
    errors: {
      no_such_realm: 404,
      no_such_account: 404,
      no_such_client: 404,
      username_taken: 409,
      password_refused: 422,
      /** Too many wrong passwords or codes. */
      locked: 429,
      no_such_credential: 404,
      no_such_session: 404,
      /** The call needs a mail server, and none is configured. */
      no_mail_server: 409,
    },
  },
  [
    accountContract,
    linksContract,
    clientsContract,
    impersonationContract,
    sessionsContract,
    accountsContract,
    keycloakContract,
  ],
)
