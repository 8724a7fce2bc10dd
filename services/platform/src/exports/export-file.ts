import type { Plan } from '../queries/query-plan.ts'
import { columnNames, exportColumns, wideColumns } from './export-columns.ts'
import type { ExportQuestion, ExportWords } from './export-contract.ts'
import { csvOf } from './export-csv.ts'
import type { AskedDevice, Exporting } from './export-devices.ts'
import { longRows, type Page, wideRows } from './export-rows.ts'
import { timeHeading } from './export-times.ts'
import { xlsxOf } from './export-xlsx.ts'

/** An export that is decided: who asks, what, and by which plan. */
export type Export = Exporting & {
  question: ExportQuestion
  plan: Plan
  devices: readonly AskedDevice[]
  signal: AbortSignal
}

const english: Record<keyof ExportWords, string> = {
  time: 'Time',
  device: 'Device',
  deviceId: 'Device id',
  path: 'Path',
  value: 'Value',
  unit: 'Unit',
}

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** Name and content type of the file. */
export function fileFacts({ name, format }: Pick<ExportQuestion, 'name' | 'format'>) {
  return { name: `${name}.${format}`, contentType: types[format], packed: format === 'csv' }
}

/** Headers of a download; the name also for browsers that read ASCII only. */
export const downloadHeaders = ({ name, contentType }: { name: string; contentType: string }) => ({
  'content-type': contentType,
  'content-disposition': `attachment; filename="${name.replaceAll(/[^\w .()-]/g, '_')}"; filename*=UTF-8''${encoded(name)}`,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
})

/** RFC 8187: more than `encodeURIComponent` leaves has to be written as bytes. */
const encoded = (name: string) =>
  encodeURIComponent(name.replaceAll(/[\p{Cc}/\\]/gu, '_')).replaceAll(
    /['()*]/g,
    (one) => `%${(one.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
  )

/** The file in pieces; `passed` is called with the values of each page before it is written. */
export async function* exportedFile(
  exported: Export,
  passed: (values: number) => Promise<void> | void = () => undefined,
): AsyncGenerator<string | Buffer> {
  const { question } = exported
  const { header, pages } = await contentOf(exported)
  const counted = (async function* (): AsyncGenerator<Page> {
    for await (const page of pages) {
      await passed(page.values)
      yield page
    }
  })()
  yield* question.format === 'csv'
    ? csvOf(header, counted, question)
    : xlsxOf(header, counted, question)
}

async function contentOf(exported: Export) {
  const { question, plan, devices, signal, known } = exported
  const words = { ...english, ...(question.words as Partial<typeof english>) } // a word that is not given is not there
  const time = timeHeading(words.time, question)
  const reading = { telemetry: await known.telemetry(), plan, signal }
  const columns = exportColumns(exported, question, devices)
  if (question.layout === 'long') {
    const header = [time, words.device, words.deviceId, words.path, words.value, words.unit]
    return { header, pages: longRows(reading, columns) }
  }
  const all = await wideColumns(columns)
  return { header: [time, ...columnNames(all)], pages: wideRows(reading, all) }
}
