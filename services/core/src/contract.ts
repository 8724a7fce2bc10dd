import { joinContracts } from '@longreach/kit/contract'
import { accessRequestsContract } from './access-requests/contract.ts'
import { accessContract } from './access/contract.ts'
import { accountContract } from './account/contract.ts'
import { admissionContract } from './admission/contract.ts'
import { agreementsContract } from './agreements/contract.ts'
import { apiKeysContract } from './api-keys/contract.ts'
import { clientsContract } from './clients/contract.ts'
import { devicesContract } from './devices/contract.ts'
import { explanationsContract } from './explanations/contract.ts'
import { groupsContract } from './groups/contract.ts'
import { impersonationContract } from './impersonation/contract.ts'
import { invitationsContract } from './invitations/contract.ts'
import { mailsContract } from './mails/contract.ts'
import { onboardingContract } from './onboarding/contract.ts'
import { organizationsContract } from './organizations/contract.ts'
import { peopleContract } from './people/contract.ts'
import { policiesContract } from './policies/contract.ts'
import { preferencesContract } from './preferences/contract.ts'
import { recipientsContract } from './recipients/contract.ts'
import { rolesContract } from './roles/contract.ts'
import { setupContract } from './setup/contract.ts'
import { whatIfContract } from './what-if/contract.ts'

export const coreContract = joinContracts(
  {
    service: 'core',
    base: '/svc/core/api/v1',
    errors: {
      not_found: 404,
      /** The name is in use, or was once: names of deleted organizations are not given out again. */
      name_taken: 409,
      username_taken: 409,
      /** Another call is making the same account at this moment. */
      busy: 409,
      /** Other things depend on it. */
      in_use: 409,
      /** Made by the product itself; stays as it is. */
      made_by_system: 409,
      too_many_attempts: 429,
      /** Nobody hands out a right that they do not have. */
      beyond_own_rights: 403,
      /** Somebody named in the call is not in this organization. */
      not_in_organization: 422,
      password_refused: 422,
      /** Not to be done to one's own account. */
      oneself: 409,
      /** A newer version is in force, or none any more. */
      agreement_outdated: 409,
    },
  },
  [
    admissionContract,
    accessRequestsContract,
    accountContract,
    setupContract,
    agreementsContract,
    onboardingContract,
    mailsContract,
    organizationsContract,
    peopleContract,
    invitationsContract,
    clientsContract,
    impersonationContract,
    groupsContract,
    recipientsContract,
    rolesContract,
    whatIfContract,
    explanationsContract,
    policiesContract,
    devicesContract,
    apiKeysContract,
    preferencesContract,
    accessContract,
  ],
)
