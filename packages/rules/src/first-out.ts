/** Alarm of a first-out group of one device. */
type GroupAlarm = { source: string; start: number; end?: number }

/**
 * First alarm of a group for each alarm, in order of their starts: its own source for one that was
 * raised after all were normal. By event time, so that late values do not change what was first.
 */
export function firstOuts(alarms: readonly GroupAlarm[]): { alarm: GroupAlarm; first: string }[] {
  const sorted = alarms.toSorted(
    (one, other) => one.start - other.start || (one.source < other.source ? -1 : 1),
  )
  let first = ''
  let until = -Infinity
  return sorted.map((alarm) => {
    // One that ends when another begins is over.
    if (alarm.start >= until) first = alarm.source
    until = Math.max(alarm.start >= until ? alarm.start : until, alarm.end ?? Infinity)
    return { alarm, first }
  })
}
