import { can } from './can.ts'
import { pathReach, reaches } from './can-path.ts'
import type { Capability } from './capability.ts'
import { canInSight, type DeviceColumns, inGroupsSql, rightsIn } from './device-visibility.ts'
import { condition, type SqlCondition } from './sql-condition.ts'

/** Alarm as far as its visibility depends on it. */
type Placed = {
  /** resourceId of the organization of its device. */
  org: string
  /** Ids of the device groups that its device is in. */
  groups: readonly number[]
  /** Paths that its rule judges; null for an alarm of the device itself, whose paths are not known. */
  paths: readonly string[] | null
}

/**
 * True when the caller sees an alarm, here or below: its device, and alarms in its organization. On a device of
 * which they may read some paths alone, these are alarms of rules that judge these paths alone.
 */
export function canAlarmInSight(
  admission: Parameters<typeof canInSight>[0],
  { org, groups, paths }: Placed,
) {
  const capability = rightsIn(admission, org)
  if (!can(capability, 'alarms', 'read')) return false
  if (!canInSight(admission, 'read', { org, groups })) return false
  const live = pathReach(capability, 'read', groups)
  if (live === 'all') return true
  const past = pathReach(capability, 'history', groups)
  return paths?.every((path) => reaches(live, path) || reaches(past, path)) ?? false
}

/**
 * True when the caller sees every alarm of a device in these groups that they may read: alarms, and all paths of
 * the device. `everyAlarmSql` is the same test in SQL.
 */
export const seesEveryAlarm = (capability: Capability, groups: readonly number[]) =>
  can(capability, 'alarms', 'read') && pathReach(capability, 'read', groups) === 'all'

/** Condition of the devices for which `seesEveryAlarm` is true; true or false alone where groups do not matter. */
export function everyAlarmSql(
  capability: Capability,
  groups: DeviceColumns['groups'],
): SqlCondition {
  if (!can(capability, 'alarms', 'read')) return condition().text('false').end()
  return inGroupsSql({ ...capability, paths: [] }, 'read', groups)
}

/** Attributes of a device that tell of its open alarms. */
export const alarmAttributes = ['alarms', 'alarms_max_severity'] as const

/** True for the name of an attribute that tells of open alarms. */
export const isAlarmAttribute = (name: string) => alarmAttributes.some((one) => one === name)

/**
 * Attributes of a device in these groups as the caller may see them: without those that tell of open alarms, unless
 * they see every alarm of the device.
 */
export function attributesInSight(
  capability: Capability,
  { groups, attributes }: { groups: readonly number[]; attributes: Record<string, unknown> },
): Record<string, unknown> {
  if (!alarmAttributes.some((name) => Object.hasOwn(attributes, name))) return attributes
  if (seesEveryAlarm(capability, groups)) return attributes
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !isAlarmAttribute(name)))
}
