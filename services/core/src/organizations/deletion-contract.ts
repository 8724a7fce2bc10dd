import {
  contentPage,
  type Endpoint,
  flag,
  paging,
  timestamp,
  rowIdText,
} from '@longreach/kit/contract'
import { z } from 'zod'

const org = z.object({ org: z.string() })

/** Numbers of what is deleted with an organization, including everything below it. */
const Dependencies = z.object({
  organizations: z.int(),
  devices: z.int(),
  people: z.int(),
  /** People who are in no other organization: their accounts go too. */
  accounts: z.int(),
  keys: z.int(),
  roles: z.int(),
  userGroups: z.int(),
  deviceGroups: z.int(),
  /** Labels of the organizations below, the first few. */
  named: z.array(z.string()),
})
type Dependencies = z.output<typeof Dependencies>

const DeletedOrganization = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  resourceId: z.string(),
  deletedAt: timestamp,
  deletedBy: z.string(),
  /** From then on it cannot be restored. */
  purgedAt: timestamp,
  /** Number of organizations below that were deleted with it. */
  organizations: z.int(),
})
type DeletedOrganization = z.output<typeof DeletedOrganization>

export const deletionEndpoints = {
  dependencies: {
    method: 'GET',
    path: '/organizations/:org/dependencies',
    access: 'organizations:read',
    params: org,
    result: Dependencies,
  },
  /** It can be restored for 30 days; until then nobody enters it, and then everything of it goes. */
  deleteOrganization: {
    method: 'DELETE',
    path: '/organizations/:org',
    access: 'organizations:delete',
    params: org,
    query: z.object({
      /** With all organizations below. */
      cascade: flag.optional(),
    }),
    result: z.undefined(),
  },
  /** Deleted organizations below that can be restored, the last one first. */
  deletedOrganizations: {
    method: 'GET',
    path: '/organizations/:org/deleted',
    access: 'organizations:delete',
    params: org,
    query: z.object(paging()),
    result: contentPage(DeletedOrganization),
  },
  /** Bring back a deleted organization with all that went with it; its host name only if it is still free. */
  restoreOrganization: {
    method: 'POST',
    path: '/organizations/:org/deleted/:deleted/restore',
    access: 'organizations:delete',
    params: org.extend({ deleted: rowIdText }),
    result: z.object({ resourceId: z.string(), organizations: z.int(), hostnameLost: z.boolean() }),
  },
} as const satisfies Record<string, Endpoint>
