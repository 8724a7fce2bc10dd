import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { testDatabase } from '@longreach/kit/test-database'
import { expect, test, vi } from 'vitest'
import { migrate } from './database.ts'
import { makeEarlierKeys } from './earlier-keys.ts'
import { answersOf, changedAnswer, start } from './keys-answers.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'

type Database = Awaited<ReturnType<typeof testDatabase>>
const minute = 60_000

/** Values in chunks, in bundles, late, repeated and of bad quality. */
async function writeAll(store: TelemetryStore) {
  for (const [device, org] of [
    ['press', 'acme'],
    ['oven', 'acme.hall'],
    ['twice', 'other'],
  ] as const) {
    const seriesOf = (name: string) =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) => store.seriesOf(org, name, `Line:1/${n}`, 'double')),
      )
    // The runs of 16 of these fill the slot, so that the last device has one of its own.
    if (device === 'twice') for (let n = 0; n < 14; n += 1) await seriesOf(`gap-${n}`)
    const ids = await seriesOf(device)
    const put = async (from: number, count: number) => {
      for (const [n, id] of ids.entries()) {
        const rows = Array.from({ length: n % 2 ? count : Math.ceil(count / 20) }, (_, at) => at)
        const q = rows.map((at) => (n === 3 && at % 50 === 0 ? 2 : 0))
        await store.append({
          series: rows.map(() => id),
          t: rows.map((at) => start + (from + at) * minute),
          v: rows.map((at) => (at * 7 + n + from) % 101),
          q,
        })
      }
      await store.sealNow()
    }
    await put(0, 700)
    await put(700, 600)
    await put(350, 90)
    await put(1300, 560)
    await put(1900, 30)
  }
}

/** Adds rows that make the filling last for a while. */
async function multiply({ pool }: Database, copies: number) {
  await pool.query(
    `insert into telemetry.series (id, org, device, path, type)
     select 100000 + n, 'many', 'mill-' || n / 32, 'Mill:1/' || n, 'double' from generate_series(1, $1::int) n`,
    [copies],
  )
  await pool.query(
    `insert into telemetry.chunk (slot, series, t0, t1, version, n, numbers, min, max, sum, first, last, step, data, steps)
     select (100000 + k) >> 8, 100000 + k, t0 + lag, t1 + lag, version, n, numbers, min, max, sum, first, last, 0, data, ''
     from (select * from telemetry.chunk where n > 500 order by series, t0 limit 1) c
     cross join generate_series(1, $1::int) k cross join generate_series(0, 6000000000, 1000000000) lag`,
    [copies],
  )
  await pool.query(
    `insert into telemetry.graded_hour (slot, series, hour, worst)
     select (100000 + k) >> 8, 100000 + k, h * 3600000::bigint, 1
     from generate_series(1, $1::int) k, generate_series(1, 7) h`,
    [copies],
  )
  await pool.query(
    `insert into telemetry.newest (slot, place, series, t, q, v)
     select p >> 3, p, array[p * 32], array[1000::bigint], array[0::smallint], array['1']
     from generate_series(3200, 3200 + $1::int) p on conflict do nothing`,
    [copies],
  )
}

/** A store as an earlier version left it, and its answers. Some rows are there twice, as they could be then. */
async function earlierStore(database: Database, copies: number) {
  const store = await openTelemetry({ pool: database.pool })
  await writeAll(store)
  await multiply(database, copies)
  const answers = await answersOf(store)
  await store.close()
  await makeEarlierKeys(database.pool)
  const twice = `(select id from telemetry.series where device = 'twice')`
  await database.pool.query(
    `insert into telemetry.chunk select * from telemetry.chunk where series in ${twice};
     insert into telemetry.bundle select * from telemetry.bundle where series <@ array ${twice}`,
  )
  return answers
}

const stepsOf = async ({ pool }: Database) => {
  const { rows } = await pool.query<{ name: string; step: string; at: string }>(
    `select name, step, at::text from telemetry.migration where step is not null order by name`,
  )
  return rows
}

/** Waits until every table has its key; indexes of before go at once. */
async function waitForKeys(database: Database) {
  await vi.waitUntil(
    async () => {
      await database.pool.query(
        `update telemetry.migration set since = now() - interval '1 hour' where step = 'rest'`,
      )
      return (await stepsOf(database)).every(({ step }) => step === 'done')
    },
    { timeout: 120_000, interval: 100 },
  )
}

async function expectKeys({ pool }: Database) {
  const { rows } = await pool.query<{ key: string }>(
    `select pg_get_indexdef(indexrelid) as key from pg_index
     join pg_class on oid = indrelid
     where relnamespace = 'telemetry'::regnamespace
       and relname in ('chunk', 'bundle', 'newest', 'graded_hour', 'head')`,
  )
  expect(rows.map(({ key }) => key.replace(/.* USING btree /, '')).toSorted()).toEqual([
    '(slot, place)',
    '(slot, series, hour)',
    '(slot, series, t0, version) INCLUDE (t1)',
    '(slot, t0, version) INCLUDE (t1)',
    '(writer, version)',
  ])
  for (const [table, slot] of [
    ['chunk', 'series >> 8'],
    ['newest', 'place >> 3'],
    ['graded_hour', 'series >> 8'],
  ])
    expect(
      (await pool.query(`select from telemetry.${table} where slot is distinct from ${slot}`))
        .rowCount,
    ).toBe(0)
}

type Steps = Awaited<ReturnType<typeof stepsOf>>
const progressOf = (steps: Steps, table: string) => {
  const found = steps.find(({ name }) => name === `key of ${table}`)
  const step = found?.step ?? 'fill'
  return { step, begun: step !== 'fill' || typeof found?.at === 'string' }
}
/** Moments in which a process is killed. */
const moments: ((steps: Steps) => boolean)[] = [
  (steps) => progressOf(steps, 'newest').begun,
  (steps) => progressOf(steps, 'chunk').begun,
  (steps) => progressOf(steps, 'chunk').step !== 'fill',
  (steps) => progressOf(steps, 'bundle').step !== 'check',
  (steps) => progressOf(steps, 'graded_hour').begun,
]

/** Lets a process work up to a moment, and kills it; returns what it acknowledged. */
async function killedInTheMiddle(
  database: Database,
  file: string,
  { first, moment }: { first: number; moment: (typeof moments)[number] },
) {
  const program = path.join(import.meta.dirname, 'keys-writer.ts')
  const child = spawn(
    process.execPath,
    [program, JSON.stringify(database.connection), file, String(first)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let text = ''
  child.stdout.on('data', (data: Buffer) => (text += data.toString()))
  const closed = new Promise((done) => child.once('close', done))
  await vi.waitUntil(() => text.includes('wrote'), { timeout: 60_000 })
  await vi.waitUntil(async () => moment(await stepsOf(database)) || child.exitCode !== null, {
    timeout: 60_000,
    interval: 5,
  })
  child.kill('SIGKILL')
  await closed
  const lines = text.split('\n').slice(0, -1)
  expect(lines.filter((line) => line.startsWith('changed'))).toEqual([])
  return lines.filter((line) => line.startsWith('wrote')).map((line) => Number(line.split(' ')[1]))
}

/** Expects the values that killed processes acknowledged. */
async function expectWritten(store: TelemetryStore, acknowledged: number[]) {
  await store.sealNow()
  for (const { id } of await store.findSeries('writes')) {
    const stored = new Map<number, unknown>()
    for await (const page of store.read(id, { since: 0, to: 1e9 }))
      for (const { t, v } of page) stored.set(t, v)
    expect(acknowledged.filter((t) => stored.get(t) !== t * 1000 + id)).toEqual([])
  }
}

test('a store of the version before gets its keys while it is written, read and killed', async () => {
  const database = await testDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-keys-'))
  const file = path.join(folder, 'answers.json')
  const before = await earlierStore(database, 3000)
  await writeFile(file, JSON.stringify(before))
  const acknowledged: number[] = []
  for (const [round, moment] of moments.entries()) {
    const first = round * 1_000_000
    acknowledged.push(...(await killedInTheMiddle(database, file, { first, moment })))
  }
  const left = (await stepsOf(database)).filter(({ step }) => step !== 'done')
  expect(left.map(({ name }) => name)).toContain('key of graded_hour')

  const stores = [
    await openTelemetry({ pool: database.pool }),
    await openTelemetry({ pool: database.pool }),
  ]
  const waiting = waitForKeys(database)
  let done = false
  void waiting.finally(() => (done = true))
  do
    for (const store of stores)
      expect(changedAnswer(before, await answersOf(store))).toBeUndefined()
  while (!done)
  await waiting
  await expectKeys(database)
  for (const store of stores) expect(changedAnswer(before, await answersOf(store))).toBeUndefined()
  if (stores[0]) await expectWritten(stores[0], acknowledged)
  expect(acknowledged.length).toBeGreaterThan(100)
  for (const one of stores) await one.close()
  await rm(folder, { recursive: true })
  await database.close()
})

test('an index whose building was interrupted is built anew, and rows that were there twice are joined', async () => {
  const database = await testDatabase()
  const before = await earlierStore(database, 10)
  await migrate(database.pool)
  await expect(
    database.pool.query(
      `create unique index concurrently bundle_key on telemetry.bundle (slot, t0, version) include (t1)`,
    ),
  ).rejects.toThrow('could not create unique index')
  const store = await openTelemetry({ pool: database.pool })
  await waitForKeys(database)
  await expectKeys(database)
  expect(changedAnswer(before, await answersOf(store))).toBeUndefined()
  await store.close()
  await database.close()
})

test('a process that has not heard of a new key writes and reads as one that has', async () => {
  const database = await testDatabase()
  await earlierStore(database, 10)
  const late = await openTelemetry({ pool: database.pool })
  const [series = 0] = (await late.findSeries('press')).map(({ id }) => id)
  // The key is taken at once, within the second in which processes look.
  await waitForKeys(database)
  for (let n = 1; n <= 3; n += 1) {
    await late.append({ series: [series], t: [start + n], v: [n], q: [1] })
    await late.sealNow()
  }
  expect((await late.last([series]))[0]?.v).toBeDefined()
  expect(await late.gradedHours(series, { since: start, to: start + 10, limit: 5 })).toHaveLength(1)
  await late.close()
  await database.close()
})

test('blocks of a dead process that it had already moved are moved again, and each value counts once', async () => {
  const database = await testDatabase()
  const { pool } = database
  const first = await openTelemetry({ pool })
  const ids = await Promise.all(
    ['long', 'short'].map((path) => first.seriesOf('acme', 'mixer', path, 'double')),
  )
  const [long = 0, short = 0] = ids
  const write = (id: number, count: number, add: number) => {
    const rows = Array.from({ length: count }, (_, at) => at)
    return first.append({
      series: rows.map(() => id),
      t: rows.map((at) => start + at * 1000),
      v: rows.map((at) => at + add),
    })
  }
  await write(long, 5000, 0)
  await write(short, 40, 0)
  await pool.query(`create table telemetry.saved as select * from telemetry.head`)
  await first.sealNow()
  await write(long, 3, 0.5)
  await write(short, 3, 0.5)
  await first.sealNow()
  await first.close()
  const before = await pool.query(`select slot, series, t0, version from telemetry.chunk`)
  await pool.query(
    `insert into telemetry.head (writer, version, data) select 999999, version, data from telemetry.saved`,
  )
  const second = await openTelemetry({ pool })
  await second.sealNow()
  for (const [id, count] of [
    [long, 5000],
    [short, 40],
  ] as const) {
    const values: unknown[] = []
    for await (const page of second.read(id, { since: start, to: start + 1e9 }))
      for (const { t, v } of page) values.push([t - start, v])
    expect(values).toEqual(
      Array.from({ length: count }, (_, at) => [at * 1000, at < 3 ? at + 0.5 : at]),
    )
  }
  const after = await pool.query(`select slot, series, t0, version from telemetry.chunk`)
  expect(after.rows.length).toBeLessThanOrEqual(before.rows.length + 2)
  expect((await pool.query(`select from telemetry.head`)).rowCount).toBe(0)
  await second.close()
  await database.close()
})

test('tables are not changed while a process of an earlier version writes', async () => {
  const database = await testDatabase()
  const store = await openTelemetry({ pool: database.pool })
  await makeEarlierKeys(database.pool)
  await expect(openTelemetry({ pool: database.pool })).rejects.toThrow(
    'earlier version still writes',
  )
  const starting = openTelemetry({ pool: database.pool })
  await store.close()
  await (await starting).close()
  await expectKeys(database)
  await database.close()
})
