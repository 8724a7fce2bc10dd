import { bitOf, type Capability } from './capability.ts'
import type { Action, Resource } from './permissions.ts'

/** May the caller do `action` on some `resource` of the organization at all? */
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
 * May the caller do `action` on the device that is in these device groups? Who is given only some
 * of its paths sees the device; to change it, an update without that limit is needed.
 */
export function canDevice(
  capability: Capability,
  action: Action,
  groupsOfDevice: readonly number[],
) {
  if (!isLetThrough(capability, groupsOfDevice)) return false
  const bit = bitOf(action)
  if (isFree(capability, bit, groupsOfDevice)) return true
  const { paths } = capability
  if (action !== 'read' || paths === undefined) return false
  return paths.some(
    ({ mask, groups }) => (mask & bit) !== 0 && (groups === null || meet(groups, groupsOfDevice)),
  )
}

/** Do the security policies let the device through? */
export const isLetThrough = ({ policies }: Capability, groupsOfDevice: readonly number[]) =>
  policies === undefined || meet(policies, groupsOfDevice)

/** Is the action granted on the device without a limit to paths? */
export const isFree = (
  { grants, deviceGroups }: Capability,
  bit: number,
  groupsOfDevice: readonly number[],
) =>
  ((grants['devices'] ?? 0) & bit) !== 0 ||
  deviceGroups.some(({ mask, groups }) => (mask & bit) !== 0 && meet(groups, groupsOfDevice))

/** Have the two lists something in common? */
export const meet = (groups: readonly number[], others: readonly number[]) =>
  groups.some((id) => others.includes(id))

/** May the caller do `action` on the remote access of this VPN name? */
export const canVpn = ({ grants, vpnNames }: Capability, action: Action, name: string) => {
  const bit = bitOf(action)
  if (((grants['vpn'] ?? 0) & bit) !== 0) return true
  return (vpnNames ?? []).some(({ mask, names }) => (mask & bit) !== 0 && names.includes(name))
}

/** Those of the devices on which the caller may do `action`, in their order. */
export const filter = <T extends { groups: readonly number[] }>(
  capability: Capability,
  action: Action,
  devices: readonly T[],
) => devices.filter(({ groups }) => canDevice(capability, action, groups))
