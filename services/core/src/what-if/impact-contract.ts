import { pathRights } from '@longreach/authorization/capability'
import { type Endpoint, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { NewModelPathPermission } from '../roles/model-path-contract.ts'
import { RoleRule } from '../roles/role-contract.ts'
import { Person } from '../explanations/explain-contract.ts'

/** One right that somebody loses or gets. */
export const RightChange = z.object({
  /** `devices:read` */
  permission: z.string(),
  /** Only for devices in this group. */
  deviceGroup: z.object({ id: z.int(), name: z.string() }).nullable(),
  vpnName: z.string().nullable(),
  /** Only on this model path, for live values, the past, or writing. */
  path: z.string().nullable(),
  right: z.enum(pathRights).nullable(),
  /** Is about the organizations below. */
  below: z.boolean(),
})
export type RightChange = z.output<typeof RightChange>

/** Rights that people would gain and lose by a change, computed before it is made. */
export const Impact = z.object({
  /** The first 100 by name of those for whom something changes. */
  people: z.array(
    z.object({ user: Person, lost: z.array(RightChange), gained: z.array(RightChange) }),
  ),
  /** Of everybody: people who lose or gain, and permissions over all of them. */
  totals: z.object({
    people: z.int(),
    permissions: z.int(),
    losing: z.object({ people: z.int(), permissions: z.int() }),
    gaining: z.object({ people: z.int(), permissions: z.int() }),
  }),
})
export type Impact = z.output<typeof Impact>

const ids = z.array(rowId).max(1000).default([])

export const impactEndpoints = {
  /** People who gain or lose rights by a change of the role. Fields that the body leaves out do not change. */
  roleImpact: {
    method: 'POST',
    path: '/organizations/:org/roles/:role/impact',
    reads: true,
    access: ['roles:update', 'roles:delete'],
    params: z.object({ org: z.string(), role: rowIdText }),
    body: z.object({
      rules: z.array(RoleRule).max(500).optional(),
      applicationPermissions: z.array(rowId).max(500).optional(),
      modelPathPermissions: z.array(NewModelPathPermission).max(200).optional(),
      enabled: z.boolean().optional(),
      inherit: z.boolean().optional(),
      /** The role is deleted. */
      deleted: z.boolean().optional(),
    }),
    result: Impact,
  },
  groupImpact: {
    method: 'POST',
    path: '/organizations/:org/userGroups/:group/impact',
    reads: true,
    access: ['usergroups:update', 'usergroups:delete'],
    params: z.object({ org: z.string(), group: rowIdText }),
    body: z.object({
      rolesToAdd: ids,
      rolesToRemove: ids,
      membersToAdd: ids,
      membersToRemove: ids,
      /** The group is deleted. */
      deleted: z.boolean().default(false),
    }),
    result: Impact,
  },
  userImpact: {
    method: 'POST',
    path: '/organizations/:org/users/:user/impact',
    reads: true,
    access: ['users:update', 'users:delete', 'usergroups:update'],
    params: z.object({ org: z.string(), user: rowIdText }),
    body: z.object({
      groupsToAdd: ids,
      groupsToRemove: ids,
      rolesToAdd: ids,
      rolesToRemove: ids,
      /** The person leaves the organization. */
      deleted: z.boolean().default(false),
    }),
    result: Impact,
  },
} as const satisfies Record<string, Endpoint>
