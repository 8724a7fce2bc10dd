import { identityContract } from '@longreach/identity/contract'
import { defineService } from '@longreach/kit/service'
import { accessHandlers } from './access/access-handlers.ts'
import { clientHandlers } from './clients/client-handlers.ts'
import { coreContract } from './contract.ts'
import type { CoreDb } from './database.ts'
import type { CoreDeps } from './deps.ts'
import { groupHandlers } from './groups/group-handlers.ts'
import { impersonationHandlers } from './impersonation/impersonation-handlers.ts'
import { organizationHandlers } from './organizations/organization-handlers.ts'
import { userHandlers } from './people/user-handlers.ts'
import { deviceConsumers } from './policies/device-groups.ts'
import { policyHandlers } from './policies/policy-handlers.ts'
import { preferenceHandlers } from './preferences/preference-handlers.ts'
import { roleHandlers } from './roles/role-handlers.ts'
import { setupHandlers } from './setup/setup-handlers.ts'

/** Organizations, people, groups, roles, device groups, and who may do what. */
export const core = defineService<CoreDb>()({
  contract: coreContract,
  needs: { identity: identityContract },
  migrations: new URL('./migrations/', import.meta.url),
  handlers: (deps: CoreDeps) => ({
    ...accessHandlers(deps),
    ...setupHandlers(deps),
    ...organizationHandlers(deps),
    ...userHandlers(deps),
    ...clientHandlers(deps),
    ...impersonationHandlers(deps),
    ...groupHandlers(deps),
    ...roleHandlers(deps),
    ...policyHandlers(deps),
    ...preferenceHandlers(deps),
  }),
  consumers: deviceConsumers,
})
