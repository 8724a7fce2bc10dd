import {
  type Action,
  actions,
  type Permission,
  type Resource,
  resources,
} from '@longreach/authorization/permissions'
import { scopeOf } from '@longreach/authorization/to-permissions'
import type { RoleRule } from './role-contract.ts'

/** Room for actions of a resource: an id stays what it is when actions and resources are added. */
const room = 32

type Numbered = { id: number; name: string; permission: Permission }

/** Every permission with its id on the wire; resources and actions are only ever added at the end. */
export const numberedPermissions = resources.flatMap((resource, at) =>
  actions.map((action, offset): Numbered => ({
    id: at * room + offset + 1,
    name: scopeOf(`${resource}:${action}`),
    permission: `${resource}:${action}`,
  })),
)

const byId = new Map(numberedPermissions.map((one) => [one.id, one.permission]))

/** The permission of an id; undefined for an id that none has. */
export const permissionOfId = (id: number) => byId.get(id)

/** Permissions, as ids and names, that the rules give on all device groups and VPN names. */
export const permissionsOfRules = (rules: readonly RoleRule[]) =>
  numberedPermissions
    .filter(({ permission }) => {
      const [resource, action] = permission.split(':') as [Resource, Action]
      return rules.some(
        (rule) =>
          rule.deviceGroup === null &&
          rule.vpnName === null &&
          rule.resource === resource &&
          rule.actions.includes(action),
      )
    })
    .map(({ id, name }) => ({ id, name }))
