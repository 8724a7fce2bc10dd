import type { ChartSeries } from '@longreach/ui/chart-data'
import { addDays, instantOf, wallTime } from '@longreach/calendar/wall-time'
import { shiftWindow, type TimeWindow } from '@longreach/ui/time-range'
import type { History } from '../../parts/history/history.ts'
import type { Comparison } from './explore-url.ts'

/** The window that is compared with: a day, a week or the window's own length earlier by the zone's calendar. */
export function earlierWindow(
  window: TimeWindow,
  comparison: Comparison,
  zone: string,
): TimeWindow | undefined {
  if (comparison === 'none') return undefined
  if (comparison === 'window') return shiftWindow(window, -1, zone)
  const days = comparison === 'day' ? 1 : 7
  const from = instantOf(addDays(wallTime(window.from, zone), -days), zone)
  return { from, to: from + (window.to - window.from) }
}

/** The earlier course of each shown line, moved by `shift` ms so that it lies under the line of now. */
export const compared = (
  series: readonly ChartSeries[],
  past: History | undefined,
  shift: number,
): ChartSeries[] =>
  series.flatMap((one) => {
    const line = past?.get(one.id)
    if (!line || one.hidden || one.states) return []
    const { id, name, color, axis = 'left', unit } = one
    return [
      {
        id: `${id} earlier`,
        name,
        color,
        axis,
        dashed: true,
        times: line.times.map((at) => at + shift),
        values: line.values,
        ...(unit !== undefined && { unit }),
      },
    ]
  })
