import { bitOf, type Capability } from './capability.ts'
import type { Action, Resource } from './permissions.ts'

/** Permission check for `action` on any `resource` of the organization. */
export function can(capability: Capability, resource: Resource, action: Action) {
  const bit = bitOf(action)
  if (((capability.grants[resource] ?? 0) & bit) !== 0) return true
  if (resource === 'devices') {
    return has(capability.deviceGroups, bit) || has(capability.paths, bit)
  }
  return resource === 'vpn' && has(capability.vpnNames, bit)
}

const has = (some: readonly { mask: number }[] | undefined, bit: number) =>
  some !== undefined && some.some(({ mask }) => (mask & bit) !== 0)

/**
 * Permission check for `action` on a device in these device groups. Rights on some paths are enough
 * to see the device; changing it needs update without a limit to paths.
 */
export function canDevice(
  capability: Capability,
  action: Action,
  groupsOfDevice: readonly number[],
) {
  if (!isInPolicyGroups(capability, groupsOfDevice)) return false
  const bit = bitOf(action)
  if (isFree(capability, bit, groupsOfDevice)) return true
  const { paths } = capability
  if (action !== 'read' || paths === undefined) return false
  return paths.some(
    ({ mask, groups }) => (mask & bit) !== 0 && (groups === null || meet(groups, groupsOfDevice)),
  )
}

/** Security policy check: the caller has none, or the device is in one of their groups. */
export const isInPolicyGroups = ({ policies }: Capability, groupsOfDevice: readonly number[]) =>
  policies === undefined || meet(policies, groupsOfDevice)

/** True when the action is granted on the device without a limit to paths. */
export const isFree = (
  { grants, deviceGroups }: Capability,
  bit: number,
  groupsOfDevice: readonly number[],
) =>
  ((grants['devices'] ?? 0) & bit) !== 0 ||
  deviceGroups.some(({ mask, groups }) => (mask & bit) !== 0 && meet(groups, groupsOfDevice))

/** True when two lists have an element in common. */
export const meet = (groups: readonly number[], others: readonly number[]) =>
  groups.some((id) => others.includes(id))

/** Permission check for `action` on remote access with this VPN name. */
export const canVpn = ({ grants, vpnNames }: Capability, action: Action, name: string) => {
  const bit = bitOf(action)
  if (((grants['vpn'] ?? 0) & bit) !== 0) return true
  return (vpnNames ?? []).some(({ mask, names }) => (mask & bit) !== 0 && names.includes(name))
}

/** Devices on which the caller may do `action`, in their order. */
export const filter = <T extends { groups: readonly number[] }>(
  capability: Capability,
  action: Action,
  devices: readonly T[],
) => devices.filter(({ groups }) => canDevice(capability, action, groups))
