import { identityContract } from '@longreach/identity/contract'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { admissionHandlers } from './admission/admission-handlers.ts'
import { accessRequestHandlers } from './access-requests/access-request-handlers.ts'
import { accountHandlers } from './account/account-handlers.ts'
import { checkHandlers } from './what-if/check-handlers.ts'
import { explainHandlers } from './explanations/explain-handlers.ts'
import { impactHandlers } from './what-if/impact-handlers.ts'
import { agreementHandlers } from './agreements/agreement-handlers.ts'
import { apiKeyHandlers } from './api-keys/api-key-handlers.ts'
import { clientHandlers } from './clients/client-handlers.ts'
import { coreContract } from './contract.ts'
import type { CoreDb } from './database.ts'
import type { CoreDeps } from './deps.ts'
import { deviceAccount } from './devices/device-account.ts'
import { deviceHandlers } from './devices/device-handlers.ts'
import { forImport } from './devices/for-import.ts'
import { forMappings } from './devices/for-mappings.ts'
import { groupHandlers } from './groups/group-handlers.ts'
import { invitationHandlers } from './invitations/invitation-handlers.ts'
import { mailHandlers } from './mails/mail-handlers.ts'
import { onboardingHandlers } from './onboarding/onboarding-handlers.ts'
import { consequenceHandlers } from './organizations/consequence-handlers.ts'
import { deletionHandlers } from './organizations/deletion-handlers.ts'
import { importTokenHandlers } from './organizations/import-token-handlers.ts'
import { impersonationHandlers } from './impersonation/impersonation-handlers.ts'
import { organizationHandlers } from './organizations/organization-handlers.ts'
import { purgeInTime } from './organizations/purge.ts'
import { resourceHandlers } from './organizations/resource-handlers.ts'
import { treeHandlers } from './organizations/tree-handlers.ts'
import { followAccounts } from './people/account-following.ts'
import { importHandlers } from './people/import-handlers.ts'
import { importInTime } from './people/import-job.ts'
import { securityHandlers } from './people/security-handlers.ts'
import { userHandlers } from './people/user-handlers.ts'
import { deviceConsumers } from './policies/device-groups.ts'
import { policyDevices } from './devices/policy-devices.ts'
import { policyHandlers } from './policies/policy-handlers.ts'
import { preferenceHandlers } from './preferences/preference-handlers.ts'
import { takingDeviceNumbers } from './devices/device-number.ts'
import { modelPathHandlers } from './roles/model-path-handlers.ts'
import { startRoleUpgrade } from './roles/ready-made-upgrade.ts'
import { roleHandlers } from './roles/role-handlers.ts'
import { setupHandlers } from './setup/setup-handlers.ts'

/** Organizations, people, groups, roles, device groups, and who may do what. */
export const core = defineService<CoreDb>()({
  contract: coreContract,
  needs: { identity: identityContract, mappings: mappingsContract },
  migrations: new URL('./migrations/', import.meta.url),
  handlers: (deps: CoreDeps) =>
    takingDeviceNumbers(deps.db, {
      ...admissionHandlers(deps),
      ...accessRequestHandlers(deps),
      ...accountHandlers(deps),
      ...setupHandlers(deps),
      ...agreementHandlers(deps),
      ...onboardingHandlers(deps),
      ...mailHandlers(deps),
      ...organizationHandlers(deps),
      ...treeHandlers(deps),
      ...resourceHandlers(deps),
      ...deletionHandlers(deps),
      ...consequenceHandlers(deps),
      ...importTokenHandlers(deps),
      ...userHandlers(deps),
      ...invitationHandlers(deps),
      ...importHandlers(deps),
      ...securityHandlers(deps),
      ...clientHandlers(deps),
      ...impersonationHandlers(deps),
      ...groupHandlers(deps),
      ...roleHandlers(deps),
      ...modelPathHandlers(deps),
      ...checkHandlers(deps),
      ...explainHandlers(deps),
      ...impactHandlers(deps),
      ...policyHandlers(deps),
      ...policyDevices(deps),
      ...apiKeyHandlers(deps),
      ...deviceHandlers(deps),
      ...deviceAccount(deps),
      ...forImport(deps),
      ...forMappings(deps),
      ...preferenceHandlers(deps),
    }),
  consumers: () => [...deviceConsumers(), followAccounts],
  start: async (deps: CoreDeps) => {
    const working = [purgeInTime(deps), importInTime(deps), startRoleUpgrade(deps)]
    return {
      async close() {
        for (const one of working) await one.close()
      },
    }
  },
})
