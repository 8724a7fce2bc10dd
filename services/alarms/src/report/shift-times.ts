import { daysOf } from '@longreach/calendar/days'
import { instantOf } from '@longreach/calendar/wall-time'

const dayMs = 86_400_000

/** Stretch of a shift within the asked time; `kind` is its place among the shifts of a day. */
export type Shift = { kind: number; from: number; to: number }

/** Texts of shifts in the order of a day, each once. */
export const shiftsInOrder = (begins: readonly string[]) => [...new Set(begins)].toSorted()

/** Shifts of the days of a zone that touch a time, oldest first, cut to it. */
export function shiftsWithin(
  begins: readonly string[],
  zone: string,
  { from, to }: { from: number; to: number },
): Shift[] {
  const { dayAt } = daysOf(zone)
  const starts: { kind: number; at: number }[] = []
  for (let day = dayAt(from) - 1; day <= dayAt(to) + 1; day += 1) {
    for (const [kind, text] of begins.entries())
      starts.push({ kind, at: shiftStart(text, day, zone) })
  }
  starts.sort((one, other) => one.at - other.at)
  return starts.flatMap(({ kind, at }, index) => {
    const shift = {
      kind,
      from: Math.max(from, at),
      to: Math.min(to, starts[index + 1]?.at ?? Infinity),
    }
    return shift.from < shift.to && index + 1 < starts.length ? [shift] : []
  })
}

function shiftStart(text: string, day: number, zone: string) {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  const date = new Date(day * dayMs)
  return instantOf(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour,
      minute,
      second: 0,
      ms: 0,
    },
    zone,
  )
}

/** Hours from one time to another. */
export function hoursWithin({ from, to }: { from: number; to: number }): Shift[] {
  const hours: Shift[] = []
  for (let at = from; at < to; at += 3_600_000)
    hours.push({ kind: 0, from: at, to: Math.min(to, at + 3_600_000) })
  return hours
}
