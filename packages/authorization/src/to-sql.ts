import { bitOf, type Capability } from './capability.ts'
import type { Action } from './permissions.ts'

/**
 * Devices on which the caller may do `action`, as lists of device groups: a device must be in a
 * group of every list. An empty answer means all devices; undefined means none.
 */
export function deviceScope(
  { grants, deviceGroups, paths, policies }: Capability,
  action: Action,
): number[][] | undefined {
  const bit = bitOf(action)
  const lists = policies === undefined ? [] : [policies]
  if (((grants['devices'] ?? 0) & bit) !== 0) return lists
  const groups = deviceGroups.flatMap((one) => ((one.mask & bit) === 0 ? [] : one.groups))
  // Rights on some paths are enough to see the device.
  for (const one of action === 'read' ? (paths ?? []) : []) {
    if ((one.mask & bit) === 0) continue
    if (one.groups === null) return lists
    groups.push(...one.groups.filter((id) => !groups.includes(id)))
  }
  return groups.length === 0 ? undefined : [...lists, groups]
}

/**
 * Devices on which the caller may do `action`, as a WHERE fragment over an `int[]` column with the
 * groups of each device. `column` must be a name from code; parameters count from `$first`.
 */
export function toSql(
  capability: Capability,
  action: Action,
  { column = 'groups', first = 1 }: { column?: string; first?: number } = {},
): { sql: string; params: number[][] } {
  const lists = deviceScope(capability, action)
  if (lists === undefined) return { sql: 'false', params: [] }
  if (lists.length === 0) return { sql: 'true', params: [] }
  const parts = lists.map((_, index) => `${column} && $${first + index}::int[]`)
  return { sql: `(${parts.join(' and ')})`, params: lists }
}
