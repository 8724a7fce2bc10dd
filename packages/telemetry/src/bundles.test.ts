import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import type { Value } from './point.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'
import { storedParts } from './stored-parts.ts'

const start = Date.UTC(2026, 0, 5)
const span = 3_000_000
const everything = { since: start - 1e10, to: start + 1e10 }

let database: Awaited<ReturnType<typeof testDatabase>>
let store: TelemetryStore
beforeAll(async () => {
  database = await testDatabase()
  store = await openTelemetry({ pool: database.pool })
})
afterAll(async () => {
  await store.close()
  await database.close()
})

let made = 0
const freshSeries = (org = 'acme', device = `short-${++made}`) =>
  store.seriesOf(org, device, 'Oven:1/heat', 'double')
const put = (id: number, rows: (readonly [number, Value])[]) =>
  store.append({
    series: rows.map(() => id),
    t: rows.map(([t]) => start + t),
    v: rows.map(([, v]) => v),
  })
async function stored(id: number, order: 'asc' | 'desc' = 'asc') {
  const points: [number, Value][] = []
  for await (const page of store.read(id, { ...everything, order }))
    for (const { t, v } of page) points.push([t - start, v])
  return points
}
async function rowsOf(id: number) {
  const { rows } = await database.pool.query<{ bundles: number; chunks: number; n: number }>(
    `select count(*) filter (where bundled)::int as bundles,
       count(*) filter (where not bundled)::int as chunks, sum(n)::int as n
     from ${storedParts({ chunk: true })} part where series = $1`,
    [id],
  )
  return rows[0]
}

type Model = Map<number, Value>
const series = fc.integer({ min: 0, max: 2 })
// Times on a grid, so that writes have times in common.
const time = fc.integer({ min: 0, max: span / 1000 }).map((place) => place * 1000)
const value = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constantFrom(null, true, NaN))
const few = fc.array(fc.tuple(time, value), { minLength: 1, maxLength: 12 })
const write = fc.record({ series, rows: few })
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      writes: fc.array(write, { maxLength: 3 }),
    }),
  },
  // A burst is long enough for a chunk of its own, which overlaps values in bundles.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('burst' as const), series, from: time }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), series, before: time }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), rows: few }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function apply(action: Step, ids: number[], models: Model[]) {
  const both = async (at: number, rows: (readonly [number, Value])[]) => {
    await put(ids[at] ?? 0, rows)
    for (const [t, v] of rows) models[at]?.set(t, v)
  }
  if (action.do === 'write') for (const { series, rows } of action.writes) await both(series, rows)
  else if (action.do === 'burst')
    await both(
      action.series,
      Array.from({ length: 600 }, (_, n) => [action.from + n * 1000, n % 31] as const),
    )
  else if (action.do === 'expire') {
    const model = models[action.series] ?? new Map<number, Value>()
    const before = Math.min(action.before, ...(model.size > 0 ? [Math.max(...model.keys())] : []))
    await store.expire([{ series: ids[action.series] ?? 0, before: start + action.before }])
    for (const t of model.keys()) if (t < before) model.delete(t)
  } else {
    const device = `leaving-${++made}`
    const gone = await freshSeries('acme', device)
    await put(gone, action.rows)
    await store.sealNow()
    await store.forget(device)
    expect(await rowsOf(gone)).toMatchObject({ bundles: 0, chunks: 0 })
  }
}

const asked = fc.record({
  since: fc.integer({ min: -1000, max: 2_000_000 }),
  length: fc.integer({ min: 1, max: span }),
  width: fc.integer({ min: 1, max: 1_000_000 }),
})

test('short chunks of many series answer as values one by one would, whatever happens to them [C-20]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 9, maxLength: 14 }),
      fc.array(asked, { minLength: 1, maxLength: 3 }),
      async (steps, questions) => {
        const ids = [await freshSeries(), await freshSeries(), await freshSeries()]
        const models: Model[] = ids.map(() => new Map<number, Value>())
        for (const action of steps) {
          await apply(action, ids, models)
          await store.sealNow()
        }
        for (const [at, model] of models.entries()) {
          const id = ids[at] ?? 0
          const expected = [...model].toSorted(([a], [b]) => a - b)
          expect(await stored(id)).toEqual(expected)
          expect(await stored(id, 'desc')).toEqual(expected.toReversed())
        }
        for (const { since, length, width } of questions) {
          const range = { since: start + since, to: start + since + length, width }
          const answers = await store.buckets(ids, range)
          for (const [at, model] of models.entries())
            expect(answers[at]).toEqual(
              bucketsByHand(new Map([...model].map(([t, v]) => [start + t, v])), range),
            )
        }
      },
    ),
    { numRuns: 12 },
  )
})

test('bundles are joined when there are many, and become chunks when they hold enough', async () => {
  const [id, beside] = [await freshSeries(), await freshSeries()]
  const each = 30
  const times: number[] = []
  for (let seal = 0; seal < 24; seal += 1) {
    const rows = Array.from({ length: each }, (_, n) => [(seal * each + n) * 1000, n] as const)
    await put(id, rows)
    await put(beside, rows.slice(0, 2))
    times.push(...rows.map(([t]) => t))
    await store.sealNow()
    expect((await rowsOf(id))?.bundles).toBeLessThan(8)
  }
  expect(await rowsOf(id)).toMatchObject({ chunks: 1, n: 24 * each })
  expect(await rowsOf(beside)).toMatchObject({ chunks: 0, n: 48 })
  expect((await stored(id)).map(([t]) => t)).toEqual(times)
  expect(await stored(beside)).toHaveLength(48)
})

test('joining bundles makes no old value newer than that of a chunk beside them', async () => {
  const id = await freshSeries()
  await put(id, [[1000, -1]])
  await store.sealNow()
  await put(
    id,
    Array.from({ length: 600 }, (_, n) => [n * 1000, n] as const),
  )
  await store.sealNow()
  expect((await stored(id))[1]).toEqual([1000, 1])
  for (let seal = 0; seal < 8; seal += 1) {
    await put(id, [[600_000 + seal * 1000, 600 + seal]])
    await store.sealNow()
  }
  expect((await stored(id)).map(([, v]) => v)).toEqual(Array.from({ length: 608 }, (_, n) => n))
})

test('a late value behind a chunk is merged into it and stays in no bundle', async () => {
  const id = await freshSeries()
  await put(
    id,
    Array.from({ length: 600 }, (_, n) => [n * 1000, n] as const),
  )
  await store.sealNow()
  await put(id, [
    [5000, -1],
    [5500, -2],
  ])
  await store.sealNow()
  expect(await rowsOf(id)).toEqual({ bundles: 0, chunks: 1, n: 601 })
  expect((await stored(id)).slice(5, 7)).toEqual([
    [5000, -1],
    [5500, -2],
  ])
})

test('short chunks count for the organization that has the device, and are read by a new process', async () => {
  const device = `moving-${++made}`
  const id = await freshSeries('from', device)
  await freshSeries('beside')
  const rows = Array.from({ length: 50 }, (_, n) => [n * 1000, n] as const)
  await put(id, rows)
  await store.sealNow()
  const usage = (org: string) => store.usage({ org, below: false, by: 'device' })
  const [before] = await usage('from')
  expect(before).toMatchObject({ device, values: 50, oldest: start, newest: start + 49_000 })
  expect(before?.bytes).toBeGreaterThan(0)
  const would = await store.wouldExpire([{ series: id, before: start + 20_000 }])
  expect(would).toMatchObject({ series: [id], values: 20 })
  await store.move(device, 'from', 'to')
  expect(await usage('from')).toEqual([])
  expect(await usage('to')).toEqual([{ ...before, org: 'to' }])
  const other = await openTelemetry({ pool: database.pool })
  const [buckets] = await other.buckets([id], { since: start, to: start + 50_000, width: 50_000 })
  expect(buckets).toMatchObject([{ count: 50, first: 0, last: 49 }])
  await other.close()
})

test('a series that another process forgot is left out of what waits in memory', async () => {
  const device = `elsewhere-${++made}`
  const [gone, kept] = [await freshSeries('acme', device), await freshSeries()]
  for (const id of [gone, kept]) await put(id, [[0, 1]])
  const other = await openTelemetry({ pool: database.pool })
  await other.forget(device)
  await other.close()
  await store.sealNow()
  expect(await rowsOf(gone)).toMatchObject({ bundles: 0, chunks: 0 })
  expect(await stored(kept)).toEqual([[0, 1]])
})
