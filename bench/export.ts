import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import type { Column } from '../services/platform/src/exports/export-columns.ts'
import { ExportQuestion } from '../services/platform/src/exports/export-contract.ts'
import { csvOf } from '../services/platform/src/exports/export-csv.ts'
import { exportPlan } from '../services/platform/src/exports/export-plan.ts'
import { longRows, wideRows } from '../services/platform/src/exports/export-rows.ts'
import { xlsxOf } from '../services/platform/src/exports/export-xlsx.ts'
import { argument, type Line, print, say } from './report.ts'

// npm run bench -- export [--values=1000000] [--series=20]
// Values a second from the store to a file that nobody keeps, beside two peers in the same run: the
// same bytes written to /dev/null, and PostgreSQL's own COPY of the same rows from a plain table.
const values = argument('values', 1_000_000)
const series = argument('series', 20)
const each = Math.floor(values / series)
const stepMs = 1_000
const start = Date.parse('2026-01-01T00:00:00Z')
const header = ['Time', 'Device', 'Device id', 'Path', 'Value', 'Unit']

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir })
const { db, pool } = openDatabase(postgres.connection, () => undefined) // ends with the server below
try {
  const telemetry = await openTelemetry({ pool })
  const columns = await filled(telemetry)
  say(`${series} series of ${each} values`)
  const copied = await copyRate()
  const lines: Line[] = []
  for (const [layout, format] of [
    ['long', 'csv'],
    ['wide', 'csv'],
    ['long', 'xlsx'],
    ['wide', 'xlsx'],
  ] as const) {
    const { seconds, bytes } = await timed(() => fileOf(telemetry, columns, { layout, format }))
    const plain = await timed(() => zeros(bytes))
    const peers = { '/dev/null': (each * series) / plain.seconds, copy: copied }
    const ours = (each * series) / seconds
    lines.push({ what: `${format}, ${layout}`, unit: 'values/s', ours, peers, better: 'more' })
  }
  print('Export, from the store to a file that nobody keeps', lines)
  await telemetry.close()
} finally {
  await db.destroy()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** The same values in the store and in a plain table. */
async function filled(telemetry: TelemetryStore): Promise<Column[]> {
  await pool.query('create table plain (device text, path text, at timestamptz, value float8)')
  const columns: Column[] = []
  for (let n = 0; n < series; n += 1) {
    const name = `Oven:1/zone/t${n}`
    const id = await telemetry.seriesOf('exor', 'device-of-the-bench-00', name, 'double')
    const times = Array.from({ length: each }, (_, at) => start + at * stepMs)
    const numbers = times.map((_, at) => Math.round(2e3 + 5e2 * Math.sin(at / 900)) / 100)
    for (let at = 0; at < each; at += 20_000) {
      const t = times.slice(at, at + 20_000)
      await telemetry.append({ series: t.map(() => id), t, v: numbers.slice(at, at + 20_000) })
    }
    await pool.query(
      `insert into plain select 'Oven', $1, to_timestamp(t / 1000), v from unnest($2::float8[], $3::float8[]) as u(t, v)`,
      [name, times, numbers],
    )
    columns.push(columnOf(id, name))
  }
  await telemetry.sealNow()
  return columns
}

function columnOf(id: number, name: string): Column {
  const device = { id: 'device-of-the-bench-00', label: 'Oven', org: 'exor', byPath: new Map() }
  const found = {
    device,
    modelPath: name,
    access: { last: () => true, past: () => true },
    series: { id, org: 'exor', device: device.id, path: name, type: 'double' },
    type: 'double',
    past: true,
  } as unknown as Column['found'] // what reading looks at
  return { found, device: 'Oven', deviceId: device.id, path: name, unit: '°C' }
}

type Shape = { layout: 'long' | 'wide'; format: 'csv' | 'xlsx' }

function fileOf(telemetry: TelemetryStore, columns: readonly Column[], { layout, format }: Shape) {
  const question = ExportQuestion.parse({
    devices: { ids: ['d'] },
    since: start,
    to: start + each * stepMs,
    format,
    layout,
  })
  const signal = new AbortController().signal
  const reading = { telemetry, plan: exportPlan(question, start), signal }
  const devices = (async function* () {
    yield columns
  })()
  const pages = layout === 'long' ? longRows(reading, devices) : wideRows(reading, columns)
  const names = layout === 'long' ? header : ['Time', ...columns.map((column) => column.path)]
  return format === 'csv' ? csvOf(names, pages, question) : xlsxOf(names, pages, question)
}

async function* zeros(bytes: number) {
  const piece = Buffer.alloc(65_536)
  for (let left = bytes; left > 0; left -= piece.length) yield piece
}

async function timed(make: () => AsyncIterable<string | Buffer>) {
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of make()) {
      bytes += Buffer.byteLength(chunk)
      yield chunk
    }
  }
  const begun = performance.now()
  await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream('/dev/null'))
  return { seconds: (performance.now() - begun) / 1000, bytes }
}

/** Values a second of `copy … to` a program that throws them away. */
async function copyRate() {
  const begun = performance.now()
  await pool.query(
    `copy (select at, device, path, value from plain order by path, at) to program 'cat > /dev/null' (format csv)`,
  )
  return (each * series) / ((performance.now() - begun) / 1000)
}
