import { can } from './can.ts'
import { pathReach, reaches } from './can-path.ts'
import { canInSight, rightsIn } from './device-visibility.ts'

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
