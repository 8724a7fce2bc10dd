import { actions, type Permission, resources } from '@longreach/authorization/permissions'
import type { RoleRule } from './role-contract.ts'

/** Rules that give exactly these permissions, one for each resource. */
export function rulesOf(permissions: readonly Permission[]): RoleRule[] {
  const pairs = permissions.map((permission) => permission.split(':') as [string, string])
  return resources.flatMap((resource) => {
    const named = actions.filter((action) =>
      pairs.some(([onResource, name]) => onResource === resource && name === action),
    )
    return named.length === 0
      ? []
      : [{ resource, actions: named, deviceGroup: null, vpnName: null }]
  })
}
