import { can } from './can.ts'
import type { Capability } from './capability.ts'
import { actions, type Permission, resources } from './permissions.ts'

/** Permissions that the caller has on at least some resources, in the order of the tables. */
export const permissionsOf = (capability: Capability): Permission[] =>
  resources.flatMap((resource) =>
    actions
      .filter((action) => can(capability, resource, action))
      .map((action): Permission => `${resource}:${action}`),
  )

/** Permissions as scopes of a token or permission ticket, for example `iam.devices.read`. */
export const toPermissions = (capability: Capability) => permissionsOf(capability).map(scopeOf)

/** Spelling of a permission as a scope: `devices:read` becomes `iam.devices.read`. */
export const scopeOf = (permission: Permission) => `iam.${permission.replace(':', '.')}`
