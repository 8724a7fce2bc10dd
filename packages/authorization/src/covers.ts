import { type Capability, everyAction } from './capability.ts'

/**
 * Does `holder` hold at least everything that `granted` gives? Nobody hands out what they do not
 * have themselves; who sees only some devices hands out nothing on devices.
 */
export function covers(holder: Capability, granted: Capability) {
  const held = (resource: string) => holder.grants[resource] ?? 0
  const plain = Object.entries(granted.grants).every(
    ([resource, mask]) => (mask & ~held(resource)) === 0,
  )
  if (!plain) return false
  const onDevices = (granted.grants['devices'] ?? 0) !== 0 || granted.deviceGroups.length > 0
  if (onDevices && holder.policies !== undefined) return false
  return granted.deviceGroups.every(({ mask, groups }) =>
    groups.every((group) => (mask & ~heldInGroup(holder, group)) === 0),
  )
}

const heldInGroup = ({ grants, deviceGroups }: Capability, group: number) =>
  deviceGroups.reduce(
    (mask, one) => (one.groups.includes(group) ? mask | one.mask : mask),
    (grants['devices'] ?? 0) & everyAction,
  )
