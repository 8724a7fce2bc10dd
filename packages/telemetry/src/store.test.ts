import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import type { Point, Value } from './point.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let store: TelemetryStore
const start = Date.UTC(2026, 0, 5)
const everything = { since: start - 1e10, to: start + 1e10 }

beforeAll(async () => {
  database = await testDatabase()
  store = await openTelemetry({ pool: database.pool })
})
afterAll(async () => {
  await store.close()
  await database.close()
})

let devices = 0
async function freshSeries(type: 'double' | 'string' = 'double') {
  devices += 1
  return store.seriesOf('acme', `device-${devices}`, 'Oven:1/zone/temperature', type)
}
async function all(
  from: TelemetryStore,
  series: number,
  order: 'asc' | 'desc' = 'asc',
  limit = Infinity,
) {
  const points: Point[] = []
  for await (const page of from.read(series, { ...everything, order, limit })) points.push(...page)
  return points
}
const put = (series: number, rows: [number, Value][]) =>
  store.append({
    series: rows.map(() => series),
    t: rows.map(([t]) => start + t),
    v: rows.map(([, v]) => v),
  })
const values = (points: Point[]) => points.map(({ t, v }) => [t - start, v])

test('appended values are read back, before and after they move into chunks [C-20]', async () => {
  const series = await freshSeries()
  await put(series, [
    [0, 20.5],
    [1000, 21],
    [2000, 21.5],
  ])
  const expected = [
    [0, 20.5],
    [1000, 21],
    [2000, 21.5],
  ]
  expect(values(await all(store, series))).toEqual(expected)
  await store.sealNow()
  expect(values(await all(store, series))).toEqual(expected)
  expect(values(await all(store, series, 'desc', 2))).toEqual(expected.toReversed().slice(0, 2))
})

test('a late value takes its place and a correction wins, in memory and in chunks', async () => {
  const series = await freshSeries()
  await put(series, [
    [5000, 1],
    [9000, 2],
  ])
  await store.sealNow()
  await put(series, [
    [7000, 1.5],
    [5000, 10],
  ])
  const expected = [
    [5000, 10],
    [7000, 1.5],
    [9000, 2],
  ]
  expect(values(await all(store, series))).toEqual(expected)
  await store.sealNow()
  expect(values(await all(store, series))).toEqual(expected)
  expect(values(await all(store, series, 'desc'))).toEqual(expected.toReversed())
})

test('duplicates after a reconnect are there once', async () => {
  const series = await freshSeries()
  await put(series, [
    [1, 1],
    [2, 2],
  ])
  await store.sealNow()
  await put(series, [
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  expect(values(await all(store, series))).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  const [buckets] = await store.buckets([series], { since: start, to: start + 10, width: 10 })
  expect(buckets).toMatchObject([{ count: 3, sum: 6 }])
})

test('the newest value is not replaced by a late one', async () => {
  const series = await freshSeries()
  const none = await freshSeries()
  await put(series, [[5000, 2]])
  await put(series, [[1000, 1]])
  expect(await store.last([series, none])).toEqual([{ t: start + 5000, v: 2, q: 0 }, undefined])
  await store.sealNow()
  await put(series, [[2000, 1]])
  const again = await openTelemetry({ pool: database.pool })
  expect(await again.last([series])).toEqual([{ t: start + 5000, v: 2, q: 0 }])
  await again.close()
})

test('without history only the newest value is kept', async () => {
  const series = await freshSeries('string')
  for (const [t, v] of [
    [1, 'a'],
    [3, 'c'],
    [2, 'b'],
  ] as const)
    await store.appendLast({ series: [series], t: [start + t], v: [v], q: [1] })
  await store.sealNow()
  expect(await store.last([series])).toEqual([{ t: start + 3, v: 'c', q: 1 }])
  expect(await all(store, series)).toEqual([])
})

test('quality and values of every kind survive', async () => {
  const series = await freshSeries('string')
  const v: Value[] = [1.5, 'text', null, true, { a: [1, null] }, -0, 2 ** 53, '']
  const t = v.map((_, row) => start + row)
  await store.append({ series: v.map(() => series), t, v, q: v.map((_, row) => row % 3) })
  const expected = v.map((value, row) => ({ t: start + row, v: value, q: row % 3 }))
  expect(await all(store, series)).toEqual(expected)
  await store.sealNow()
  expect(await all(store, series)).toEqual(expected)
})

test('a series is made once, whoever asks at the same time', async () => {
  const second = await openTelemetry({ pool: database.pool })
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? store : second).seriesOf('acme', 'raced', 'Pump:1/flow', 'double'),
    ),
  )
  expect(new Set(asked).size).toBe(1)
  expect(store.knownSeries('acme', 'raced', 'Pump:1/flow', 'double')).toBe(asked[0])
  expect(store.knownSeries('acme', 'raced', 'Pump:1/other', 'double')).toBeUndefined()
  await second.close()
})

test('series are found by path and by prefix', async () => {
  for (const path of ['Pump:1/a', 'Pump:1/b', 'Oven:1/a'])
    await store.seriesOf('x', 'many', path, 'double')
  const found = async (pattern?: string) =>
    (await store.findSeries('many', pattern)).map(({ path }) => path)
  expect(await found()).toEqual(['Oven:1/a', 'Pump:1/a', 'Pump:1/b'])
  expect(await found('Pump:1/**')).toEqual(['Pump:1/a', 'Pump:1/b'])
  expect(await found('Pump:1/a')).toEqual(['Pump:1/a'])
  expect(await found('**')).toHaveLength(3)
  expect(await found('Pump:1')).toEqual([])
})

test('a malformed batch is refused whole and names what is wrong', async () => {
  const series = await freshSeries()
  const t = [start, start]
  const bad = { series: [series, series], t, v: [1] }
  await expect(store.append(bad)).rejects.toMatchObject({ fault: 'bad_batch' })
  await expect(put(series, [[0.5, 1]])).rejects.toThrow('whole number of ms')
  await expect(put(series, [[2 ** 50, 1]])).rejects.toMatchObject({ fault: 'bad_batch' })
  const unknown = { series: [series, 2 ** 30], t, v: [1, 1] }
  await expect(store.append(unknown)).rejects.toMatchObject({ fault: 'unknown_series' })
  expect(await all(store, series)).toEqual([])
})

test('a forgotten device leaves nothing behind, not even what was in memory', async () => {
  const series = await store.seriesOf('acme', 'leaving', 'Pump:1/flow', 'double')
  await put(series, [[1, 1]])
  await store.sealNow()
  await put(series, [[2, 2]])
  await store.forget('leaving')
  await store.sealNow()
  expect(await all(store, series)).toEqual([])
  expect(await store.last([series])).toEqual([undefined])
  expect(await store.findSeries('leaving')).toEqual([])
  await expect(put(series, [[3, 3]])).rejects.toMatchObject({ fault: 'unknown_series' })
})

test('a second process sees what the first has not yet moved into chunks', async () => {
  const series = await freshSeries()
  await put(series, [
    [1, 1],
    [2, 2],
  ])
  const second = await openTelemetry({ pool: database.pool })
  expect(values(await all(second, series))).toEqual([
    [1, 1],
    [2, 2],
  ])
  await put(series, [[3, 3]])
  expect(values(await all(second, series))).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  expect(await second.last([series])).toEqual([{ t: start + 3, v: 3, q: 0 }])
  const [buckets] = await second.buckets([series], { since: start, to: start + 10, width: 10 })
  expect(buckets).toMatchObject([{ count: 3, last: 3 }])
  await second.close()
})

test('readers see every value exactly once while values move and merge', async () => {
  const series = await freshSeries()
  let written = 0
  const progress = { done: false }
  const writing = (async () => {
    for (; written < 6000; written += 50) {
      const rows = Array.from({ length: 50 }, (_, n): [number, Value] => [
        (written + n) * 7,
        written + n,
      ])
      await put(series, rows)
      if (written % 500 === 0) await store.sealNow()
    }
    progress.done = true
  })()
  while (!progress.done) {
    const before = written
    const points = await all(store, series)
    expect(points.length).toBeGreaterThanOrEqual(before)
    expect(points.map(({ v }) => v)).toEqual(points.map((_, row) => row))
    const [buckets = []] = await store.buckets([series], {
      since: start,
      to: start + 100_000,
      width: 333,
    })
    const counted = buckets.reduce((sum, { count }) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(points.length)
    expect(buckets.reduce((sum, bucket) => sum + (bucket.sum ?? 0), 0)).toBe(
      (counted * Math.max(0, counted - 1)) / 2,
    )
  }
  await writing
})

test('buckets equal a computation by hand, wherever the values are', async () => {
  const row = fc.tuple(
    fc.integer({ min: 0, max: 3_000_000 }),
    fc.oneof<fc.Arbitrary<Value>[]>(
      fc.integer({ min: -50, max: 50 }),
      fc.boolean(),
      fc.constant(null),
    ),
  )
  const plan = fc.array(fc.tuple(fc.array(row, { maxLength: 60 }), fc.boolean()), { maxLength: 4 })
  const range = fc.record({
    since: fc.integer({ min: -1000, max: 2_000_000 }),
    length: fc.integer({ min: 1, max: 2_000_000 }),
    width: fc.integer({ min: 1, max: 1_000_000 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, range, async (steps, { since, length, width }) => {
      const series = await freshSeries()
      const newest = new Map<number, Value>()
      for (const [rows, seal] of steps) {
        await put(series, rows)
        for (const [t, v] of rows) newest.set(start + t, v)
        if (seal) await store.sealNow()
      }
      const asked = { since: start + since, to: start + since + length, width }
      const [buckets] = await store.buckets([series], asked)
      expect(buckets).toEqual(bucketsByHand(newest, asked))
    }),
    { numRuns: 60 },
  )
})

test('a long history is streamed in pages, forwards and backwards', async () => {
  const series = await freshSeries()
  const count = 100_000
  for (let from = 0; from < count; from += 10_000) {
    await put(
      series,
      Array.from({ length: 10_000 }, (_, n) => [(from + n) * 1000, (from + n) % 97]),
    )
    await store.sealNow()
  }
  const forwards = await all(store, series)
  expect(forwards).toHaveLength(count)
  expect(forwards.every(({ t, v }, n) => t === start + n * 1000 && v === n % 97)).toBe(true)
  expect(await all(store, series, 'desc')).toEqual(forwards.toReversed())
  expect(await all(store, series, 'desc', 12_345)).toEqual(forwards.toReversed().slice(0, 12_345))
  const stop = new AbortController()
  const pages = store.read(series, { ...everything, signal: stop.signal })[Symbol.asyncIterator]()
  expect((await pages.next()).value).toHaveLength(10_000)
  stop.abort(new Error('the browser went away'))
  const rest = async () => {
    while (!(await pages.next()).done);
  }
  await expect(rest()).rejects.toThrow('the browser went away')
})
