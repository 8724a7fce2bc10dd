import { identityContract } from '@longreach/identity/contract'
import { defineService } from '@longreach/kit/service'
import { coreContract } from './contract.ts'
import { accessRequests } from './access-requests/part.ts'
import { access } from './access/part.ts'
import { account } from './account/part.ts'
import { admission } from './admission/part.ts'
import { agreements } from './agreements/part.ts'
import { apiKeys } from './api-keys/part.ts'
import { clients } from './clients/part.ts'
import { devices } from './devices/part.ts'
import { directory } from './directory/part.ts'
import { explanations } from './explanations/part.ts'
import { groups } from './groups/part.ts'
import { impersonation } from './impersonation/part.ts'
import { invitations } from './invitations/part.ts'
import { mails } from './mails/part.ts'
import { memberships } from './memberships/part.ts'
import { onboarding } from './onboarding/part.ts'
import { organizations } from './organizations/part.ts'
import { people } from './people/part.ts'
import { policies } from './policies/part.ts'
import { preferences } from './preferences/part.ts'
import { recipients } from './recipients/part.ts'
import { roles } from './roles/part.ts'
import { setup } from './setup/part.ts'
import { whatIf } from './what-if/part.ts'

/** Organizations, people, groups, roles, device groups, and who may do what. */
export const core = defineService({
  contract: coreContract,
  needs: { identity: identityContract },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [
    directory,
    access,
    policies,
    roles,
    groups,
    memberships,
    invitations,
    people,
    organizations,
    devices,
    apiKeys,
    admission,
    explanations,
    whatIf,
    accessRequests,
    account,
    agreements,
    clients,
    impersonation,
    mails,
    onboarding,
    preferences,
    recipients,
    setup,
  ],
})
