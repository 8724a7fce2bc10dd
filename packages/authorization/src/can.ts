import type { Capability } from './capability.ts'
import { type Action, actions, type Resource } from './permissions.ts'

/** May the caller do `action` on some `resource` of the organization at all? */
export function can({ grants, deviceGroups }: Capability, resource: Resource, action: Action) {
  const bit = 1 << actions.indexOf(action)
  if (((grants[resource] ?? 0) & bit) !== 0) return true
  return resource === 'devices' && deviceGroups.some(({ mask }) => (mask & bit) !== 0)
}
