import { defineContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { accessEndpoints } from './access/access-contract.ts'
import { clientEndpoints } from './clients/client-contract.ts'
import { groupEndpoints } from './groups/group-contract.ts'
import { impersonationEndpoints } from './impersonation/impersonation-contract.ts'
import { organizationEndpoints } from './organizations/organization-contract.ts'
import { userEndpoints } from './people/user-contract.ts'
import { policyEndpoints } from './policies/policy-contract.ts'
import { preferenceEndpoints } from './preferences/preference-contract.ts'
import { roleEndpoints } from './roles/role-contract.ts'
import { setupEndpoints } from './setup/setup-contract.ts'

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
    /** Nobody hands out a right that they do not have. */
    beyond_own_rights: 403,
    /** Somebody named in the call is not in this organization. */
    not_in_organization: 422,
    /** Programs and oneself. */
    cannot_impersonate: 422,
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
    setup_done: 409,
    setup_token_refused: 403,
  },
  endpoints: {
    ...accessEndpoints,
    ...setupEndpoints,
    ...organizationEndpoints,
    ...userEndpoints,
    ...clientEndpoints,
    ...impersonationEndpoints,
    ...groupEndpoints,
    ...roleEndpoints,
    ...policyEndpoints,
    ...preferenceEndpoints,
  },
  events: {
    /** Roles, groups, policies or memberships changed somewhere at or below `resourceId`. */
    permissionsChanged: {
      topic: 'core.permissions_changed',
      payload: z.object({ resourceId: z.string() }),
    },
    /** The device groups (ids of security policies) that a device is in now, in rising order. */
    deviceGroupsChanged: {
      topic: 'core.device_groups_changed',
      payload: z.object({ deviceId: z.string(), groups: z.array(z.int()) }),
    },
  },
})
