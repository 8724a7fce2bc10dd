import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { accountHandlers } from './account/account-handlers.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import { clientHandlers } from './clients/client-handlers.ts'
import { identityContract } from './contract.ts'
import { identityRoutes } from './identity-routes.ts'
import type { IdentityDeps } from './identity-deps.ts'
import type { IdentityDb } from './identity-tables.ts'
import { impersonationHandlers } from './impersonation/impersonation-handlers.ts'
import { startCleanup } from './cleanup-job.ts'
import { linkHandlers } from './links/link-handlers.ts'
import { answerPasswordRequests } from './links/password-requests.ts'
import { startMailSender } from './mail/mail-sender.ts'
import { realmsOf } from './protocol/realm-runtime.ts'
import { securityHandlers } from './account/security-handlers.ts'

/** Service of realms, accounts, sign-in and tokens. */
export const identity = defineService<IdentityDb>()({
  contract: identityContract,
  needs: { core: coreContract },
  migrations: new URL('migrations/', import.meta.url),
  handlers: (deps: IdentityDeps) => ({
    ...accountHandlers(deps),
    ...clientHandlers(deps),
    ...impersonationHandlers(deps),
    ...linkHandlers(deps),
    ...securityHandlers(deps),
  }),
  mount: async (app, deps) => {
    // A Fastify scope of its own, since only these routes accept forms.
    const realms = realmsOf(deps)
    await app.register(async (scope) => {
      identityRoutes(scope, deps, realms)
      adminRoutes(scope, deps, realms)
    })
  },
  start: async (deps) => {
    const workers = [startCleanup(deps), startMailSender(deps, () => answerPasswordRequests(deps))]
    return { close: async () => void (await Promise.all(workers.map((one) => one.close()))) }
  },
})
