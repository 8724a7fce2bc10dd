import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { admissionEndpoints } from './admission/admission-contract.ts'
import { accessRequestEndpoints } from './access-requests/access-request-contract.ts'
import { accountEndpoints } from './account/account-contract.ts'
import { checkEndpoints } from './what-if/check-contract.ts'
import { explainEndpoints } from './explanations/explain-contract.ts'
import { impactEndpoints } from './what-if/impact-contract.ts'
import { agreementEndpoints } from './agreements/agreement-contract.ts'
import { apiKeyEndpoints } from './api-keys/api-key-contract.ts'
import { clientEndpoints } from './clients/client-contract.ts'
import { deviceAccountEndpoints } from './devices/device-account-contract.ts'
import { deviceEndpoints } from './devices/device-contract.ts'
import { forImportEndpoints } from './devices/for-import-contract.ts'
import { forMappingsEndpoints } from './devices/for-mappings-contract.ts'
import { groupEndpoints } from './groups/group-contract.ts'
import { consequenceEndpoints } from './organizations/consequence-contract.ts'
import { deletionEndpoints } from './organizations/deletion-contract.ts'
import { importTokenEndpoints } from './organizations/import-token-contract.ts'
import { impersonationEndpoints } from './impersonation/impersonation-contract.ts'
import { invitationEndpoints } from './invitations/invitation-contract.ts'
import { mailEndpoints } from './mails/mail-contract.ts'
import { onboardingEndpoints } from './onboarding/onboarding-contract.ts'
import { organizationEndpoints } from './organizations/organization-contract.ts'
import { resourceEndpoints } from './organizations/resource-contract.ts'
import { treeEndpoints } from './organizations/tree-contract.ts'
import { importEndpoints } from './people/import-contract.ts'
import { securityEndpoints } from './people/security-contract.ts'
import { userEndpoints } from './people/user-contract.ts'
import { policyDeviceEndpoints } from './devices/policy-device-contract.ts'
import { policyEndpoints } from './policies/policy-contract.ts'
import { preferenceEndpoints } from './preferences/preference-contract.ts'
import { modelPathEndpoints } from './roles/model-path-contract.ts'
import { roleEndpoints } from './roles/role-contract.ts'
import { setupEndpoints } from './setup/setup-contract.ts'

const organizationsGone = z.object({
  resourceId: z.string(),
  organizations: z.array(z.object({ id: z.int(), resourceId: z.string() })),
  /** When, in ms: who hears of a deletion and of its end cannot tell otherwise which came last. */
  at: z.int().default(0),
})

export const coreContract = defineContract({
  service: 'core',
  base: '/svc/core/api/v1',
  errors: {
    not_found: 404,
    /** The host name alone does not tell which organization is meant. */
    no_such_host: 404,
    /** The name is in use, or was once: names of deleted organizations are not given out again. */
    name_taken: 409,
    hostname_taken: 409,
    username_taken: 409,
    /** Another call is making the same account at this moment. */
    busy: 409,
    /** Other things depend on it. */
    in_use: 409,
    /** Made by the product itself; stays as it is. */
    made_by_system: 409,
    /** A root organization cannot be deleted. */
    is_root: 409,
    /** A sub-organization cannot have what the one above it lacks. */
    beyond_parent: 422,
    /** A host name needs the permission of the organization above. */
    hostname_not_allowed: 422,
    /** Nobody could administer it any more. */
    needs_administrator: 422,
    /** The caller could not enter any more. */
    locks_you_out: 422,
    /** Only its own people may open it again. */
    private_access_kept: 403,
    /** What it would come back to is deleted itself. */
    parent_deleted: 409,
    too_many_attempts: 429,
    /** So many match that their sign-ins are not looked through. */
    too_many_people: 422,
    /** Nobody hands out a right that they do not have. */
    beyond_own_rights: 403,
    /** Somebody named in the call is not in this organization. */
    not_in_organization: 422,
    /** Programs and oneself. */
    cannot_impersonate: 422,
    /** No pattern of model paths. */
    bad_path: 422,
    /** Only roles for devices have model paths. */
    paths_need_device_role: 422,
    no_such_permission: 422,
    password_refused: 422,
    /** The organization would be left without anybody who administers it. */
    last_administrator: 409,
    /** Not to be done to one's own account. */
    oneself: 409,
    is_disabled: 409,
    /** A program has neither password nor mail. */
    is_service_account: 422,
    /** The file is no table that can be read. */
    unreadable_table: 422,
    /** The result of an import is there when the import is done. */
    not_done: 409,
    /** It opens no organization for this device. */
    import_token_refused: 422,
    /** An owner has one API key in an organization, and the next one while they change over. */
    too_many_keys: 409,
    /** The link in the mail is dead: a new one is needed, not another attempt. */
    mail_outlived: 409,
    /** A newer version is in force, or none any more. */
    agreement_outdated: 409,
    agreement_refused: 422,
    /** Nobody can do it in another's place. */
    only_oneself: 403,
    /** People cannot register in this installation. */
    registration_closed: 403,
    registration_incomplete: 422,
    /** Agreements that one has to accept to register. */
    agreements_missing: 422,
    /** The link was used, or is too old. */
    registration_gone: 410,
    /** Too many people were asked to join and have not answered. */
    too_many_invitations: 409,
    /** Another administrator was first. */
    already_decided: 409,
    /** Neither a group nor a role. */
    nothing_given: 422,
    setup_done: 409,
    setup_token_refused: 403,
  },
  endpoints: {
    ...admissionEndpoints,
    ...accessRequestEndpoints,
    ...accountEndpoints,
    ...setupEndpoints,
    ...agreementEndpoints,
    ...onboardingEndpoints,
    ...mailEndpoints,
    ...organizationEndpoints,
    ...treeEndpoints,
    ...resourceEndpoints,
    ...deletionEndpoints,
    ...consequenceEndpoints,
    ...importTokenEndpoints,
    ...userEndpoints,
    ...invitationEndpoints,
    ...importEndpoints,
    ...securityEndpoints,
    ...clientEndpoints,
    ...impersonationEndpoints,
    ...groupEndpoints,
    ...roleEndpoints,
    ...modelPathEndpoints,
    ...checkEndpoints,
    ...explainEndpoints,
    ...impactEndpoints,
    ...policyEndpoints,
    ...policyDeviceEndpoints,
    ...apiKeyEndpoints,
    ...deviceEndpoints,
    ...deviceAccountEndpoints,
    ...forImportEndpoints,
    ...forMappingsEndpoints,
    ...preferenceEndpoints,
  },
  events: {
    /** Roles, groups, policies or memberships changed somewhere at or below `resourceId`. */
    permissionsChanged: {
      topic: 'core.permissions_changed',
      payload: z.object({ resourceId: z.string() }),
    },
    /** Nobody can enter these organizations any more; they may come back. The first one was deleted, the others went with it. */
    organizationDeleted: { topic: 'core.organization_deleted', payload: organizationsGone },
    organizationRestored: { topic: 'core.organization_restored', payload: organizationsGone },
    /** They will not come back: everything of theirs goes. */
    organizationPurged: { topic: 'core.organization_purged', payload: organizationsGone },
    /** The device groups (ids of security policies) that a device is in now, in rising order. */
    deviceGroupsChanged: {
      topic: 'core.device_groups_changed',
      payload: z.object({ deviceId: z.string(), groups: z.array(z.int()) }),
    },
  },
})
