import { alignColumns, type ChartSeries } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'
import { csvLine, isoInZone } from '../../lib/csv.ts'

/** The shown lines as one CSV table: ISO times in `zone`, a column for each line, empty where nothing is. */
export function tableCsv(series: readonly ChartSeries[], { from, to }: TimeWindow, zone: string) {
  const shown = series.filter(({ hidden }) => !hidden)
  const { times, columns } = alignColumns(
    shown.map((one) => ({ times: one.times, columns: [one.values] })),
  )
  const head = csvLine([
    `time (${zone})`,
    ...shown.map(({ name, unit }) => (unit ? `${name} (${unit})` : name)),
  ])
  const rows = Array.from(times).flatMap((at, index) => {
    const cells = columns.map((column) => column[index] ?? null)
    const known = at >= from && at <= to && cells.some((cell) => cell !== null)
    return known ? [csvLine([isoInZone(at, zone), ...cells])] : []
  })
  return [head, ...rows].join('')
}
