import {
  actionOf,
  bitOf,
  type Capability,
  everyAction,
  type PathGrant,
  pathRights,
} from './capability.ts'
import { coversPaths } from './path-cover.ts'

/**
 * True when `holder` has at least all rights of `granted`: nobody can hand out rights that they do
 * not have. A holder with limited device visibility hands out no rights on devices.
 */
export function covers(holder: Capability, granted: Capability) {
  const held = (resource: string) => holder.grants[resource] ?? 0
  const plain = Object.entries(granted.grants).every(
    ([resource, mask]) => (mask & ~held(resource)) === 0,
  )
  if (!plain) return false
  const { paths = [], vpnNames = [] } = granted
  const named = vpnNames.every(({ mask, names }) =>
    names.every((name) => (mask & ~(held('vpn') | maskOfName(holder, name))) === 0),
  )
  if (!named) return false
  const onDevices =
    (granted.grants['devices'] ?? 0) !== 0 || granted.deviceGroups.length > 0 || paths.length > 0
  if (onDevices && holder.policies !== undefined) return false
  const inGroups = granted.deviceGroups.every(({ mask, groups }) =>
    groups.every((group) => (mask & ~heldInGroup(holder, group)) === 0),
  )
  return inGroups && paths.every((grant) => holdsGrant(holder, grant))
}

const maskOfName = ({ vpnNames = [] }: Capability, name: string) =>
  vpnNames.reduce((mask, one) => (one.names.includes(name) ? mask | one.mask : mask), 0)

/** Actions without a limit to paths, in the group or everywhere. */
const heldInGroup = ({ grants, deviceGroups }: Capability, group: number | null) =>
  deviceGroups.reduce(
    (mask, one) => (group !== null && one.groups.includes(group) ? mask | one.mask : mask),
    (grants['devices'] ?? 0) & everyAction,
  )

const holdsGrant = (holder: Capability, { groups, ...given }: PathGrant) =>
  (groups ?? [null]).every((group) => holdsPaths(holder, group, given))

function holdsPaths(holder: Capability, group: number | null, given: Omit<PathGrant, 'groups'>) {
  const free = heldInGroup(holder, group)
  const own = (holder.paths ?? []).filter(
    ({ groups }) => groups === null || (group !== null && groups.includes(group)),
  )
  const mask = own.reduce((sum, one) => sum | one.mask, free)
  if ((given.mask & ~mask) !== 0) return false
  return pathRights.every((right) => {
    if ((free & bitOf(actionOf(right))) !== 0) return true
    return coversPaths(
      own.flatMap((one) => one[right]),
      given[right],
    )
  })
}
