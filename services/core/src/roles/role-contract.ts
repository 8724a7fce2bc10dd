import { actions, resources } from '@longreach/authorization/permissions'
import {
  contentPage,
  type Endpoint,
  flag,
  list,
  paging,
  rowId,
  rowIdText,
} from '@longreach/kit/contract'
import { z } from 'zod'
import { ModelPathPermission, NewModelPathPermission } from './model-path-contract.ts'

const RoleType = z.enum(['APPLICATION', 'DEVICE'])
const RoleOwner = z.enum(['SYSTEM', 'ORGANIZATION', 'APPLICATION'])
/** Rights in short: ADMINISTRATOR may change, REGULAR_USER may use. */
export const GeneralPermission = z.enum(['NONE', 'REGULAR_USER', 'ADMINISTRATOR'])
export type GeneralPermission = z.output<typeof GeneralPermission>

/** Some actions on one resource; devices perhaps of one device group only, vpn of one name only. */
export const RoleRule = z
  .object({
    resource: z.enum(resources),
    actions: z.array(z.enum(actions)).min(1),
    deviceGroup: rowId.nullable().default(null),
    /** A gateway or endpoint as remote access names it. */
    vpnName: z.string().trim().min(1).max(255).nullable().default(null),
  })
  .refine(({ resource, deviceGroup }) => deviceGroup === null || resource === 'devices', {
    path: ['deviceGroup'],
    message: 'only devices can be limited to a device group',
  })
  .refine(({ resource, vpnName }) => vpnName === null || resource === 'vpn', {
    path: ['vpnName'],
    message: 'only vpn can be limited to a VPN name',
  })
export type RoleRule = z.output<typeof RoleRule>

/** A permission as clients of the wire number and name it: `iam.devices.read`. Ids never change. */
const ApplicationPermission = z.object({ id: z.int(), name: z.string() })

/** Permission of a role on one device group; derived from its rules. */
const DevicePermission = z.object({
  id: z.int(),
  deleted: z.boolean(),
  name: z.string(),
  modelRole: GeneralPermission,
  deviceGroup: z.int(),
})

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
  /** Kept for clients that mark roles for all devices so; gives nothing by itself. */
  defaultStar: z.boolean(),
  /** Follow from the rules. */
  deviceGeneralPermission: GeneralPermission,
  vpnGeneralPermission: GeneralPermission,
  enableAccessToApp: z.boolean(),
  /** Rights on every device or other thing of the organization; those of `rules` without a limit. */
  applicationPermissions: z.array(ApplicationPermission),
  devicePermissions: z.array(DevicePermission),
  /** Counts in every organization below too. */
  inherit: z.boolean(),
  rules: z.array(RoleRule),
  /** Model paths that the role gives on devices; empty: no limit to paths. */
  modelPathPermissions: z.array(ModelPathPermission),
})
export type Role = z.output<typeof Role>

const fields = {
  name: z
    .string()
    .trim()
    .pipe(
      z.stringFormat(
        'role_name',
        /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/,
        'must be letters, digits, dots, dashes, _',
      ),
    ),
  label: z.string().trim().min(1).max(255),
  description: z.string().max(2000),
  type: RoleType,
  enabled: z.boolean(),
  inherit: z.boolean(),
  defaultStar: z.boolean(),
  rules: z.array(RoleRule).max(500),
  /** Ids; together with `rules` both count. */
  applicationPermissions: z.array(rowId).max(500),
  /** Ids of `devicePermissions` of roles here: the role gives the same on their device groups. */
  devicePermission: z.array(rowId).max(500),
  modelPathPermissions: z.array(NewModelPathPermission).max(200),
}
/** Fields of a new or changed role; absent ones keep their value, or are empty in a new role. */
export const RoleChange = z.object(fields).partial()
export type RoleChange = z.output<typeof RoleChange>

export const NewRole = RoleChange.extend({
  name: fields.name,
  label: fields.label,
  /** A role of the organization, ready-made or own, whose facts count where the body names none. */
  copyOf: rowId.optional(),
})
export type NewRole = z.output<typeof NewRole>

const org = z.object({ org: z.string() })
const inOrg = z.object({
  org: z.string(),
  role: rowIdText,
})
/** With commas between, or given several times. */
const owners = list
  .transform((texts) => texts.flatMap((text) => text.split(',')))
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
      ownerRef: z.string().optional(),
      userGroupId: rowIdText.optional(),
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
  /** 409 for a ready-made role: copy it. */
  updateRole: {
    method: 'PUT',
    path: '/organizations/:org/roles/:role',
    access: 'roles:update',
    params: inOrg,
    body: RoleChange,
    result: Role,
  },
  /** 409 `in_use` says who has the role, unless `force`. */
  deleteRole: {
    method: 'DELETE',
    path: '/organizations/:org/roles/:role',
    access: 'roles:delete',
    params: inOrg,
    query: z.object({ force: flag.default(false) }),
    result: z.undefined(),
  },
  /** Is there a role of this name, or id? */
  roleExists: {
    method: 'GET',
    path: '/organizations/:org/roles/:role/exists',
    access: ['roles:read', 'roles:create', 'roles:update'],
    params: z.object({ org: z.string(), role: z.string().max(255) }),
    result: z.boolean(),
  },
  /** Every permission that a role can name; the same for all organizations. */
  applicationPermissions: {
    method: 'GET',
    path: '/applicationpermissions/all',
    also: ['/organizations/:org/applicationpermissions/all'],
    access: 'signed-in',
    apiKeys: true,
    query: z.object({
      ...paging(500),
      orderBy: z.enum(['name', 'id']).default('name'),
      orderDir: z.enum(['asc', 'desc']).default('asc'),
    }),
    result: contentPage(ApplicationPermission),
  },
} as const satisfies Record<string, Endpoint>
