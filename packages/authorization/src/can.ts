import { bitOf, type Capability } from './capability.ts'
import type { Action, Resource } from './permissions.ts'

/** May the caller do `action` on some `resource` of the organization at all? */
export function can({ grants, deviceGroups }: Capability, resource: Resource, action: Action) {
  const bit = bitOf(action)
  if (((grants[resource] ?? 0) & bit) !== 0) return true
  return resource === 'devices' && deviceGroups.some(({ mask }) => (mask & bit) !== 0)
}

/** May the caller do `action` on the device that is in these device groups? */
export function canDevice(
  { grants, deviceGroups, policies }: Capability,
  action: Action,
  groupsOfDevice: readonly number[],
) {
  const inOneOf = (groups: readonly number[]) => groups.some((id) => groupsOfDevice.includes(id))
  if (policies !== undefined && !inOneOf(policies)) return false
  const bit = bitOf(action)
  if (((grants['devices'] ?? 0) & bit) !== 0) return true
  return deviceGroups.some(({ mask, groups }) => (mask & bit) !== 0 && inOneOf(groups))
}

/** Those of the devices on which the caller may do `action`, in their order. */
export const filter = <T extends { groups: readonly number[] }>(
  capability: Capability,
  action: Action,
  devices: readonly T[],
) => devices.filter(({ groups }) => canDevice(capability, action, groups))
