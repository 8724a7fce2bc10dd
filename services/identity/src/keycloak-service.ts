import { organizationsContract } from './organizations-contract.ts'
import { type AnyPart, defineService } from '@longreach/kit/service'
import { identityContract } from './contract.ts'
import { account } from './account/part.ts'
import { accounts } from './accounts/part.ts'
import { clients } from './clients/part.ts'
import { factors } from './factors/part.ts'
import { impersonation } from './impersonation/part.ts'
import { links } from './links/part.ts'
import { mail } from './mail/part.ts'
import { pages } from './pages/part.ts'
import { passwords } from './passwords/part.ts'
import { protocol } from './protocol/part.ts'
import { realms } from './realms/part.ts'
import { rights } from './rights/part.ts'
import { sessions } from './sessions/part.ts'
import { signIn } from './sign-in/part.ts'
import { tokens } from './tokens/part.ts'
import type { KeycloakSettings } from './keycloak/keycloak-admin.ts'
import { keycloakPart } from './keycloak/part.ts'

export type { KeycloakSettings } from './keycloak/keycloak-admin.ts'

/** Part whose calls another part answers. */
const withoutCalls = <P extends AnyPart>({
  contract: _contract,
  handlers: _handlers,
  ...part
}: P) => part

/**
 * Identity where people, sign-in and sessions are Keycloak's: accounts are managed through its Admin
 * REST, and what stays here are permission tickets, signed with keys of our own, and our mails.
 */
export const keycloakIdentity = (settings: KeycloakSettings) =>
  defineService({
    contract: identityContract,
    needs: { core: organizationsContract },
    migrations: new URL('migrations/', import.meta.url),
    parts: [
      pages,
      rights,
      mail,
      accounts,
      realms,
      withoutCalls(clients),
      sessions,
      tokens,
      factors,
      passwords,
      signIn,
      withoutCalls(account),
      withoutCalls(impersonation),
      withoutCalls(links),
      protocol,
      keycloakPart(settings),
    ],
  })
