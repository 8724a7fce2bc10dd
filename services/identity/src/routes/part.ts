import { definePart } from '@longreach/kit/part'
import { account } from '../account/part.ts'
import { admin } from '../admin/part.ts'
import { adminRoutes } from '../admin/admin-routes.ts'
import { clients } from '../clients/part.ts'
import { factors } from '../factors/part.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { impersonation } from '../impersonation/part.ts'
import { links } from '../links/part.ts'
import { pages } from '../pages/part.ts'
import { protocol } from '../protocol/part.ts'
import { realms } from '../realms/part.ts'
import { rights } from '../rights/part.ts'
import { signIn } from '../sign-in/part.ts'
import { tokens } from '../tokens/part.ts'
import { identityRoutes } from './identity-routes.ts'

/** Routes of realms and of their administration, in a scope of their own: forms are read there only. */
export const routes = definePart<IdentityDeps>()({
  name: 'routes',
  uses: [
    rights,
    pages,
    realms,
    clients,
    tokens,
    factors,
    signIn,
    account,
    impersonation,
    links,
    protocol,
    admin,
  ],
  mount: async (app, { used, ...deps }) => {
    const realmDeps = { ...deps, rights: used.rights }
    await app.register(async (scope) => {
      identityRoutes(scope, realmDeps, used.protocol)
      adminRoutes(scope, realmDeps, used.protocol)
    })
  },
})
