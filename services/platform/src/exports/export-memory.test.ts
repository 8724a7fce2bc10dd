import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { expect, test } from 'vitest'
import type { Device } from '../devices/device.ts'
import type { Column } from './export-columns.ts'
import { ExportQuestion } from './export-contract.ts'
import { csvOf } from './export-csv.ts'
import { exportPlan } from './export-plan.ts'
import { longRows, type Page, wideRows } from './export-rows.ts'
import { cellsOf, unzipped } from './export-testing.ts'
import { xlsxOf } from './export-xlsx.ts'

const count = 1_000_000
const page = 10_000

/** A store that makes up a value for each ms while it is read: what is measured is what an export holds. */
const store: Partial<TelemetryStore> = {
  async *read(_, { since, to, signal }) {
    for (let from = since; from < to; from += page) {
      signal?.throwIfAborted()
      await new Promise(setImmediate)
      const length = Math.min(page, to - from)
      yield Array.from({ length }, (_, at): Point => ({
        t: from + at,
        v: (from + at) % 1000,
        q: 0,
      }))
    }
  },
  buckets: async (ids, { since, to, width }) =>
    ids.map(() =>
      Array.from({ length: Math.ceil((to - since) / width) }, (_, at) => {
        const start = since + at * width
        const figures = { min: 0, max: 0, avg: 0, sum: 0, first: 0, last: 0, lastT: start }
        return { start, count: Math.min(width, to - start), ...figures }
      }),
    ),
}
const telemetry = store as TelemetryStore
const device = { id: 'd', label: 'Oven', org: 'exor', byPath: new Map() } as unknown as Device
const all = () => true
const column = (id: number): Column => ({
  found: {
    device,
    modelPath: `Probe:1/t${id}`,
    access: { last: all, past: all },
    series: { id, org: 'exor', device: 'd', path: `Probe:1/t${id}`, type: 'double' },
    type: 'double',
    past: true,
  },
  device: 'Oven',
  deviceId: 'd',
  path: `Probe:1/t${id}`,
  unit: '',
})
const signal = new AbortController().signal

/** Sweep up what nothing holds any more; Node offers this only after asking for it. */
const sweep = (() => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
})()
const held = () => {
  sweep()
  return process.memoryUsage().heapUsed
}

function pagesOf(layout: 'long' | 'wide', columns: number) {
  const question = ExportQuestion.parse({
    devices: { ids: ['d'] },
    since: 0,
    to: count / columns,
    format: 'csv',
    layout,
  })
  const reading = { telemetry, plan: exportPlan(question, count), signal }
  const some = Array.from({ length: columns }, (_, id) => column(id))
  const devices = (async function* () {
    yield some
  })()
  return {
    question,
    pages: layout === 'long' ? longRows(reading, devices) : wideRows(reading, some),
  }
}

test.each([
  ['long', 'csv', 1, 5_000_000],
  ['wide', 'csv', 4, 2_000_000],
  ['wide', 'xlsx', 4, 500_000],
] as const)(
  'a million values are written %s as %s without being held [C-20]',
  async (layout, format, columns, everyBytes) => {
    const { question, pages } = pagesOf(layout, columns)
    const header = ['Time', 'a', 'b', 'c', 'd', 'e']
    const file = format === 'csv' ? csvOf(header, pages, question) : xlsxOf(header, pages, question)
    const before = held()
    let most = 0
    let bytes = 0
    let nextLook = 1
    for await (const chunk of file) {
      bytes += chunk.length
      if (bytes < nextLook * everyBytes) continue
      most = Math.max(most, held() - before)
      nextLook += 1
    }
    expect(nextLook).toBeGreaterThan(2)
    expect(bytes).toBeGreaterThan(format === 'csv' ? 8_000_000 : 1_000_000)
    // As rows they would take over 200 MB, as text over 8.
    expect(most).toBeLessThan(50_000_000)
  },
  60_000,
)

test('what does not fit one sheet stands in further ones, each with its heading', async () => {
  const pages = (async function* (): AsyncGenerator<Page> {
    for (let from = 0; from < 50; from += 10) {
      const rows = Array.from({ length: 10 }, (_, at) => [from + at, from + at])
      yield { rows, values: 10 }
    }
  })()
  const question = ExportQuestion.parse({
    devices: { ids: ['d'] },
    since: 0,
    format: 'xlsx',
    timestampFormat: 'unix',
  })
  const parts: Buffer[] = []
  for await (const part of xlsxOf(['Time', 'Value'], pages, question, 21)) parts.push(part)
  const files = unzipped(Buffer.concat(parts))
  const sheets = [1, 2, 3].map((n) => cellsOf(files.get(`xl/worksheets/sheet${n}.xml`) ?? ''))
  expect(sheets.map((rows) => rows.length)).toEqual([21, 21, 11])
  expect(sheets.map((rows) => rows[0]?.get('B'))).toEqual(['Value', 'Value', 'Value'])
  expect(sheets.flatMap((rows) => rows.slice(1)).map((row) => row.get('B'))).toEqual(
    Array.from({ length: 50 }, (_, at) => at),
  )
  expect(files.get('xl/workbook.xml')).toContain('name="Values 3"')
  expect(files.has('xl/worksheets/sheet4.xml')).toBe(false)
})

test('when nobody takes the file any more, nothing more is read', async () => {
  for (const write of [csvOf, xlsxOf]) {
    const state = { closed: false }
    const pages = (async function* (): AsyncGenerator<Page> {
      try {
        for (let t = 0; ; t += 1) {
          await new Promise(setImmediate)
          const text = Array.from({ length: 200 }, () => Math.random().toString(36)).join('')
          yield { rows: [[t, text]], values: 1 }
        }
      } finally {
        state.closed = true
      }
    })()
    const question = ExportQuestion.parse({ devices: { ids: ['d'] }, since: 0, format: 'xlsx' })
    let chunks = 0
    for await (const _ of write(['Time', 'Value'], pages, question)) if ((chunks += 1) > 3) break
    expect(state.closed).toBe(true)
  }
})

test('a fault while reading ends the file with that fault', async () => {
  for (const write of [csvOf, xlsxOf]) {
    const pages = (async function* (): AsyncGenerator<Page> {
      yield { rows: [[1, 2]], values: 1 }
      throw new Error('the store is away')
    })()
    const question = ExportQuestion.parse({ devices: { ids: ['d'] }, since: 0, format: 'xlsx' })
    const all = (async () => {
      for await (const _ of write(['Time', 'Value'], pages, question)) void _
    })()
    await expect(all).rejects.toThrow('the store is away')
  }
})
