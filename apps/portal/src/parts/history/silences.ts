import type { ChartSeries } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'

type Line = Pick<ChartSeries, 'times' | 'values' | 'held'>

/**
 * Spans without a value of a line: before its first value and the value that held before it, in its gaps, and
 * after `until`, when its last value does not hold any more. Both ends are outside of the span.
 */
export function silencesOf({ times, values, held }: Line, until: number): TimeWindow[] {
  const silences: TimeWindow[] = []
  let from = quietFrom(held)
  for (let index = 0; index < times.length; index++) {
    const at = times[index] ?? 0
    const isGap = values[index] === null || values[index] === undefined
    if (isGap) from ??= times[index - 1] ?? at
    else if (from !== undefined) silences.push({ from, to: at })
    if (!isGap) from = undefined
  }
  const end = from ?? endOf(times.length === 0 ? undefined : until, held)
  return end === undefined ? silences : [...silences, { from: end, to: Infinity }]
}

const endOf = (until: number | undefined, held: Line['held'] | undefined) => until ?? held?.to

/** Start of the silence before the first value; undefined if there is none. */
function quietFrom(held: Line['held']) {
  if (!held) return -Infinity
  return held.joins ? undefined : held.to
}

/** The values of a line, none of them inside of a silence. Times and silences ascend. */
export function silenced(
  { times, values }: { times: readonly number[]; values: readonly (number | null)[] },
  silences: readonly TimeWindow[],
): (number | null)[] {
  if (silences.length === 0) return [...values]
  const sorted = silences.toSorted((a, b) => a.from - b.from)
  let [next, quietTo] = [0, -Infinity]
  return values.map((value, index) => {
    const at = times[index] ?? 0
    for (let one = sorted[next]; one && one.from < at; one = sorted[++next])
      quietTo = Math.max(quietTo, one.to)
    return at < quietTo ? null : value
  })
}
