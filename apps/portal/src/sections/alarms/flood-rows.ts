import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import type { AlarmRow } from './steady-rows.ts'

/** More alarms than this in 10 minutes are a flood. */
export const flood = { more: 10, withinMs: 600_000 }

/** Place of an alarm in the group of its device. */
type InGroup = {
  /** It came first; of several at once, the one that others came after. */
  isFirst: boolean
  /** Alarms behind the first one, and the worst severity of all. */
  others: number
  worst: number
  isExpanded: boolean
}
export type GroupedRow = AlarmRow & { group?: InGroup }

/** Number of alarms that began in the last 10 minutes. */
export const recentCount = (alarms: readonly Alarm[], now: number) =>
  alarms.filter(({ longreach: { since } }) => since > now - flood.withinMs).length

const byBegin = (one: AlarmRow, other: AlarmRow) =>
  one.longreach.since - other.longreach.since ||
  Number(one.longreach.firstOut !== null) - Number(other.longreach.firstOut !== null)

const severest = (rows: readonly AlarmRow[]) => Math.max(...rows.map(({ severity }) => severity))

/** Rows by device, the device with the worst alarm first; of each the first alarm, and the others where it is expanded. */
export function groupedRows(
  rows: readonly AlarmRow[],
  expanded: ReadonlySet<string>,
): GroupedRow[] {
  const groups = [...Map.groupBy(rows, ({ deviceId }) => deviceId).values()]
  const sorted = groups.toSorted(
    (one, other) =>
      severest(other) - severest(one) ||
      Math.max(...other.map(({ longreach }) => longreach.since)) -
        Math.max(...one.map(({ longreach }) => longreach.since)),
  )
  return sorted.flatMap((group) => {
    const inOrder = group.toSorted(byBegin)
    const isExpanded = expanded.has(inOrder[0]?.deviceId ?? '')
    const shown = isExpanded ? inOrder : inOrder.slice(0, 1)
    if (inOrder.length === 1) return shown
    const others = inOrder.length - 1
    const worst = severest(inOrder)
    return shown.map((row, at) => ({
      ...row,
      group: { isFirst: at === 0, others, worst, isExpanded },
    }))
  })
}
