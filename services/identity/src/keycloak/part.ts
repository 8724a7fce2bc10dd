import { definePart } from '@longreach/kit/part'
import { accountContract } from '../account/contract.ts'
import { account } from '../account/part.ts'
import { accounts } from '../accounts/part.ts'
import { clientsContract } from '../clients/contract.ts'
import { clients } from '../clients/part.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { impersonationContract } from '../impersonation/contract.ts'
import { impersonation } from '../impersonation/part.ts'
import { linksContract } from '../links/contract.ts'
import { linkHandlers } from '../links/link-handlers.ts'
import { links } from '../links/part.ts'
import { passwords } from '../passwords/part.ts'
import { protocol } from '../protocol/part.ts'
import { realms } from '../realms/part.ts'
import { rights } from '../rights/part.ts'
import { tokens } from '../tokens/part.ts'
import { keycloakAccounts } from './keycloak-accounts.ts'
import { keycloakAdmin, type KeycloakSettings, reportKeycloakErrors } from './keycloak-admin.ts'
import { keycloakClients, keycloakLinks } from './keycloak-clients.ts'
import { ticketRoutes } from './ticket-routes.ts'

/** All calls of identity, answered by a Keycloak; only links and mails are of this installation. */
export const keycloakPart = (settings: KeycloakSettings) =>
  definePart<IdentityDeps>()({
    name: 'keycloak',
    contract: {
      endpoints: {
        ...accountContract.endpoints,
        ...clientsContract.endpoints,
        ...impersonationContract.endpoints,
        ...linksContract.endpoints,
      },
    },
    uses: [
      rights,
      accounts,
      realms,
      clients,
      tokens,
      passwords,
      account,
      impersonation,
      links,
      protocol,
    ],
    handlers: (deps) => {
      const keycloak = { deps, settings, ...keycloakAdmin(settings), realmOf: new Map() }
      return {
        ...linkHandlers(deps),
        ...reportKeycloakErrors({
          ...keycloakAccounts(keycloak),
          ...keycloakClients,
          ...keycloakLinks(keycloak),
        }),
      }
    },
    mount: async (app, { used, ...deps }) => {
      const known = { ...deps, rights: used.rights, realms: used.protocol, settings }
      await app.register(async (scope) => ticketRoutes(scope, known))
    },
  })
