import { csvCell, type CsvCell } from '@longreach/kit/csv'
import type { ExportQuestion } from './export-contract.ts'
import type { Page } from './export-rows.ts'
import { timeText } from './export-times.ts'

type Wanted = Pick<
  ExportQuestion,
  'format' | 'timestampFormat' | 'timezone' | 'separator' | 'decimal' | 'bom'
>

/** Rows as CSV (RFC 4180), in pieces as the rows come. */
export async function* csvOf(
  header: readonly string[],
  pages: AsyncIterable<Page>,
  wanted: Wanted,
): AsyncGenerator<string> {
  const time = timeText(wanted)
  const cell = cellWriter(wanted)
  const { separator, bom } = wanted
  yield `${bom ? '\uFEFF' : ''}${header.map(cell).join(separator)}\r\n`
  for await (const { rows } of pages) {
    let text = ''
    for (const [t, ...values] of rows) {
      text += time(Number(t))
      for (const value of values) text += separator + cell(value)
      text += '\r\n'
    }
    if (text !== '') yield text
  }
}

/** Writes cells; names of devices and paths come again in every row, so they are kept. */
function cellWriter({ decimal }: Pick<Wanted, 'decimal'>) {
  const known = new Map<string, string>()
  return (value: unknown): string => {
    if (typeof value !== 'string') return csvCell(value as CsvCell, decimal) // what JSON has
    const seen = known.get(value)
    if (seen !== undefined) return seen
    const fresh = csvCell(value)
    if (known.size < 10_000 && value.length < 200) known.set(value, fresh)
    return fresh
  }
}
