import { actions, resources } from '@longreach/authorization/permissions'
import { contentPage, type Endpoint, paging } from '@longreach/kit/contract'
import { z } from 'zod'

export const RoleType = z.enum(['APPLICATION', 'DEVICE'])
export const RoleOwner = z.enum(['SYSTEM', 'ORGANIZATION', 'APPLICATION'])

/** Some actions on one resource; on devices perhaps only on those of one device group. */
export const RoleRule = z
  .object({
    resource: z.enum(resources),
    actions: z.array(z.enum(actions)).min(1),
    deviceGroup: z.int().nullable().default(null),
  })
  .refine(({ resource, deviceGroup }) => deviceGroup === null || resource === 'devices', {
    path: ['deviceGroup'],
    message: 'only devices can be limited to a device group',
  })
export type RoleRule = z.output<typeof RoleRule>

export const Role = z.object({
  id: z.int(),
  name: z.string(),
  label: z.string(),
  description: z.string(),
  type: RoleType,
  owner: RoleOwner,
  owners: z.array(RoleOwner),
  ownerRef: z.string().nullable(),
  enabled: z.boolean(),
  deleted: z.boolean(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  updatedAt: z.number(),
  organizationId: z.int(),
  orgResourceId: z.string(),
  defaultStar: z.boolean(),
  /** Counts in every organization below too. */
  inherit: z.boolean(),
  rules: z.array(RoleRule),
})
export type Role = z.output<typeof Role>

export const NewRole = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'must be letters, digits, dots, dashes, _'),
  label: z.string().trim().min(1).max(255),
  description: z.string().max(2000).default(''),
  type: RoleType.default('APPLICATION'),
  enabled: z.boolean().default(true),
  inherit: z.boolean().default(false),
  rules: z.array(RoleRule).max(500).default([]),
})
export type NewRole = z.output<typeof NewRole>

const org = z.object({ org: z.string() })
const inOrg = z.object({
  org: z.string(),
  role: z.coerce.number<number | string>().int().positive().max(2_147_483_647),
})
const owners = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(RoleOwner))

export const roleEndpoints = {
  roles: {
    method: 'GET',
    path: '/organizations/:org/roles',
    access: 'roles:read',
    params: org,
    query: z.object({
      ...paging(),
      name: z.string().optional(),
      search: z.string().max(255).optional(),
      type: RoleType.optional(),
      /** Comma-separated; `owners` is the same. */
      owner: owners.optional(),
      owners: owners.optional(),
      userGroupId: z.coerce.number<number>().int().optional(),
    }),
    result: contentPage(Role),
  },
  createRole: {
    method: 'POST',
    path: '/organizations/:org/roles',
    access: 'roles:create',
    params: org,
    body: NewRole,
    result: Role,
    status: 201,
  },
  role: {
    method: 'GET',
    path: '/organizations/:org/roles/:role',
    access: 'roles:read',
    params: inOrg,
    result: Role,
  },
  deleteRole: {
    method: 'DELETE',
    path: '/organizations/:org/roles/:role',
    access: 'roles:delete',
    params: inOrg,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
