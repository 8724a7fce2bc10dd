import { csvLine } from '@longreach/kit/csv'
import { Readable } from 'node:stream'
import { canonical } from '../chain/chain.ts'
import { exportColumns } from './contract.ts'
import type { ExportRow, Place } from './entry-store.ts'
import { toEntry } from './entry-wire.ts'

export type Format = 'csv' | 'jsonl'
type Page = (after: Place | undefined) => Promise<ExportRow[]>

/** File of entries, read from the database page by page as fast as its reader takes it. */
export const fileOf = (format: Format, page: Page) => Readable.from(texts(format, page))

async function* texts(format: Format, page: Page) {
  if (format === 'csv') yield csvLine(exportColumns)
  const lineOf = format === 'csv' ? csvOf : jsonOf
  let rows = await page(undefined)
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows.map(lineOf).join('')
    rows = await page(last)
  }
}

const jsonOf = ({ before, after, ...row }: ExportRow) =>
  `${JSON.stringify({ ...toEntry(row), before, after })}\n`

const json = (value: unknown) => (value === null ? '' : canonical(value))

/** Columns of the CSV file, by their headings. */
const columns: Record<(typeof exportColumns)[number], (row: ExportRow) => string | number> = {
  id: ({ seq }) => seq,
  time: ({ at }) => at.toISOString(),
  organization: ({ organization }) => organization,
  outcome: ({ outcome }) => outcome,
  actor: ({ actor_username }) => actor_username,
  actorKind: ({ actor_kind }) => actor_kind,
  actorId: ({ actor_sub }) => actor_sub,
  apiKey: ({ api_key }) => api_key ?? '',
  impersonatedBy: ({ impersonator_username }) => impersonator_username ?? '',
  ip: ({ ip }) => ip,
  action: ({ action }) => action,
  resource: ({ resource }) => resource,
  target: ({ target }) => target,
  label: ({ label }) => label,
  call: ({ call }) => call,
  status: ({ status }) => status ?? '',
  code: ({ code }) => code ?? '',
  count: ({ count }) => count,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
}

const csvOf = (row: ExportRow) => csvLine(exportColumns.map((name) => columns[name](row)))
