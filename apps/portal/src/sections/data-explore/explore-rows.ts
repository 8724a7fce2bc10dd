import { alignColumns, type ChartSeries } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'

/** A row of the wide table: a time, and what each line shows there. */
type WideRow = { at: number; values: (number | null | undefined)[] }
/** A row of the long table: one value of one line. */
type LongRow = { at: number; line: number; value: number }
export type Sort = { by: 'time' | 'line' | 'value' | number; down: boolean }

/** The lines beside each other, without rows where none has a value. */
export function wideRows(series: readonly ChartSeries[], { from, to }: TimeWindow): WideRow[] {
  const { times, columns } = alignColumns(
    series.map(({ times: at, values }) => ({ times: at, columns: [values] })),
  )
  return Array.from(times).flatMap((at, index) => {
    const values = columns.map((column) => column[index])
    const known = values.some((value) => value !== null && value !== undefined)
    return known && at >= from && at <= to ? [{ at, values }] : []
  })
}

/** Every value of every line on a row of its own. */
export const longRows = (rows: readonly WideRow[]): LongRow[] =>
  rows.flatMap(({ at, values }) =>
    values.flatMap((value, line) =>
      value === null || value === undefined ? [] : [{ at, line, value }],
    ),
  )

/** Rows in an order; what has no value stands last, whichever way. */
export function sortedWide(rows: readonly WideRow[], { by, down }: Sort): WideRow[] {
  const sign = down ? -1 : 1
  if (typeof by !== 'number') return rows.toSorted((a, b) => sign * (a.at - b.at))
  return rows.toSorted((a, b) => {
    const [one, other] = [a.values[by] ?? undefined, b.values[by] ?? undefined]
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined)
    return sign * (one - other) || b.at - a.at
  })
}

export function sortedLong(rows: readonly LongRow[], { by, down }: Sort): LongRow[] {
  const sign = down ? -1 : 1
  const of = { time: 'at', line: 'line', value: 'value' } as const
  const key = of[typeof by === 'number' ? 'time' : by]
  return rows.toSorted((a, b) => sign * (a[key] - b[key]) || b.at - a.at)
}
