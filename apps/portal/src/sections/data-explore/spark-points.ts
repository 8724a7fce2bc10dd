import type { ChartSeries } from '@longreach/ui/chart-data'
import { indexAt } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'

const mostPoints = 60

/** At most 60 points of a line in the window, evenly chosen: enough for a line of 64 px. */
export function sparkOf(
  { times, values }: Pick<ChartSeries, 'times' | 'values'>,
  window: TimeWindow,
) {
  const first = Math.max(0, indexAt(times, window.from - 1) + 1)
  const last = indexAt(times, window.to)
  const count = Math.max(0, Math.min(mostPoints, last - first + 1))
  const step = count > 1 ? (last - first) / (count - 1) : 0
  const picked = Array.from({ length: count }, (_, index) => first + Math.round(index * step))
  return {
    times: picked.map((index) => times[index] ?? 0),
    values: picked.map((index) => values[index] ?? null),
  }
}
