import { bitOf, type Capability } from './capability.ts'
import type { Action } from './permissions.ts'

/**
 * Which devices the caller may do `action` on, as lists of device groups: a device must be in one
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
  // Who is given only some paths of a device sees it.
  for (const one of action === 'read' ? (paths ?? []) : []) {
    if ((one.mask & bit) === 0) continue
    if (one.groups === null) return lists
    groups.push(...one.groups.filter((id) => !groups.includes(id)))
  }
  return groups.length === 0 ? undefined : [...lists, groups]
}

/**
 * The same as a WHERE fragment over an `int[]` column that holds the groups of each device.
 * `column` must be a name written in code; parameters count from `$first`.
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
