import { withoutFormula } from '@longreach/kit/spreadsheet-text'
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

/**
 * Quoted where it holds the separator, a quote or a line end. A text that a spreadsheet would run as
 * a formula gets an apostrophe in front (OWASP, CSV injection); numbers stay as they are.
 */
function cellWriter({ separator, decimal }: Pick<Wanted, 'separator' | 'decimal'>) {
  const special = new RegExp(`[",;\t\r\n${separator}]`)
  const known = new Map<string, string>()
  const text = (value: string) => {
    const safe = withoutFormula(value)
    return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const number = (value: number) => {
    if (!Number.isFinite(value)) return String(value).replace('-', "'-")
    return decimal === ','
      ? text(String(value).replace('.', ',')).replace(/^(")?'-/, '$1-')
      : String(value)
  }
  /** Names of devices and paths come again in every row. */
  const remembered = (value: string) => {
    const seen = known.get(value)
    if (seen !== undefined) return seen
    const fresh = text(value)
    if (known.size < 10_000 && value.length < 200) known.set(value, fresh)
    return fresh
  }
  return (value: unknown): string => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'number') return number(value)
    if (typeof value === 'string') return remembered(value)
    return typeof value === 'object' ? text(JSON.stringify(value)) : String(value)
  }
}
