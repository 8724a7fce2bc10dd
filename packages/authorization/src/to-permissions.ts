import { can } from './can.ts'
import type { Capability } from './capability.ts'
import { actions, type Permission, resources } from './permissions.ts'

/** Every permission that the caller holds on at least something, in the order of the tables. */
export const permissionsOf = (capability: Capability): Permission[] =>
  resources.flatMap((resource) =>
    actions
      .filter((action) => can(capability, resource, action))
      .map((action): Permission => `${resource}:${action}`),
  )

/** The same as scopes of a token or permission ticket: `iam.devices.read`. */
export const toPermissions = (capability: Capability) => permissionsOf(capability).map(scopeOf)

/** `devices:read` as public clients spell it: `iam.devices.read`. */
export const scopeOf = (permission: Permission) => `iam.${permission.replace(':', '.')}`
