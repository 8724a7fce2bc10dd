import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import type { Value } from './point.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 5)

let database: Awaited<ReturnType<typeof testDatabase>>
let store: TelemetryStore
beforeAll(async () => {
  database = await testDatabase()
  store = await openTelemetry({ pool: database.pool, now: () => start + 10 * day })
})
afterAll(async () => {
  await store.close()
  await database.close()
})

let made = 0
const freshSeries = (org = 'acme') =>
  store.seriesOf(org, `old-${++made}`, 'Oven:1/temperature', 'double')
const put = (id: number, rows: (readonly [number, Value])[]) =>
  store.append({
    series: rows.map(() => id),
    t: rows.map(([t]) => start + t),
    v: rows.map(([, v]) => v),
  })
async function stored(id: number) {
  const points: [number, Value][] = []
  for await (const page of store.read(id, { since: start - 1e10, to: start + 1e10 }))
    for (const { t, v } of page) points.push([t - start, v])
  return points
}

test('what lies before the cut is gone and the rest is as it was, wherever the cut is [C-20]', async () => {
  const rows = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 3 * day }), fc.integer({ min: -50, max: 50 })),
    { minLength: 1, maxLength: 80 },
  )
  const cutAt = fc.integer({ min: -hour, max: 4 * day })
  await fc.assert(
    fc.asyncProperty(rows, rows, cutAt, async (early, late, before) => {
      const id = await freshSeries()
      await put(id, early)
      await store.sealNow()
      await put(id, late)
      await store.sealNow()
      const newest = new Map<number, Value>([...early, ...late])
      const last = Math.max(...newest.keys())
      const kept = [...newest]
        .filter(([t]) => t >= Math.min(before, last))
        .toSorted(([a], [b]) => a - b)
      const gone = await store.expire([{ series: id, before: start + before }])
      expect(gone.values).toBe(newest.size - kept.length)
      expect(await stored(id)).toEqual(kept)
      const range = { since: start, to: start + 4 * day, width: 6 * hour }
      const [buckets] = await store.buckets([id], range)
      expect(buckets).toEqual(bucketsByHand(new Map(kept.map(([t, v]) => [start + t, v])), range))
      expect(await store.last([id])).toMatchObject([{ t: start + last, v: newest.get(last) }])
    }),
    { numRuns: 25 },
  )
})

test('a count before tells what will go, and takes nothing', async () => {
  const id = await freshSeries()
  await put(
    id,
    Array.from({ length: 2880 }, (_, n) => [n * 60_000, n % 7] as const),
  )
  await store.sealNow()
  const cuts = [{ series: id, before: start + day }]
  const would = await store.wouldExpire(cuts)
  expect(would.series).toEqual([id])
  expect(Math.abs(would.values - 1440)).toBeLessThanOrEqual(1)
  expect(would.bytes).toBeGreaterThan(0)
  expect(await stored(id)).toHaveLength(2880)
  expect((await store.expire(cuts)).values).toBe(1440)
  expect(await store.wouldExpire(cuts)).toEqual({ series: [], values: 0, bytes: 0 })
  await store.reclaim()
  expect(await stored(id)).toHaveLength(1440)
})

test('values that wait in memory outlive a cut behind them, and a restart', async () => {
  const id = await freshSeries()
  await put(id, [[0, 1]])
  await store.sealNow()
  await put(id, [[day, 2]])
  await store.expire([{ series: id, before: start + hour }])
  const other = await openTelemetry({ pool: database.pool })
  const points = []
  for await (const page of other.read(id, { since: start, to: start + 2 * day }))
    points.push(...page.map(({ v }) => v))
  expect(points).toEqual([1, 2])
  await other.close()
})

test('values that wait for their chunk count as stored', async () => {
  const id = await freshSeries('waiting')
  await put(id, [
    [60_000, 1],
    [0, 2],
  ])
  const question = { org: 'waiting', below: false, by: 'organization' } as const
  const [before] = await store.usage(question)
  expect(before).toMatchObject({ values: 2, oldest: start, newest: start + 60_000 })
  expect(before?.bytes).toBeGreaterThan(0)
  await store.sealNow()
  await put(id, [[120_000, 3]])
  expect(await store.usage(question)).toMatchObject([{ values: 3, newest: start + 120_000 }])
})

test('storage used is told by organization, device and path, with its growth', async () => {
  const [above, below] = [await freshSeries('tree'), await freshSeries('tree.leaf')]
  const beside = await freshSeries('treehouse')
  const minutes = Array.from({ length: 14_400 }, (_, n) => [n * 60_000, n % 7] as const)
  for (const id of [above, below, beside]) await put(id, minutes)
  await store.sealNow()
  const by = 'organization'
  const usage = await store.usage({ org: 'tree', below: true, by })
  expect(usage.map(({ org }) => org).toSorted()).toEqual(['tree', 'tree.leaf'])
  expect(usage[0]).toMatchObject({
    values: 14_400,
    oldest: start,
    newest: start + 10 * day - 60_000,
  })
  expect(usage[0]?.valuesPerDay).toBeGreaterThan(1400)
  expect(usage[0]?.valuesPerDay).toBeLessThan(1480)
  expect(await store.usage({ org: 'tree', below: false, by })).toHaveLength(1)
  const [device] = await store.usage({ org: 'tree.leaf', below: false, by: 'device' })
  const [path] = await store.usage({
    org: 'tree.leaf',
    below: false,
    by: 'path',
    device: device?.device ?? '',
  })
  expect(path).toMatchObject({ path: 'Oven:1/temperature', values: 14_400, bytes: device?.bytes })
  const listed = await store.listSeries(0, 100, { org: 'tree', below: true })
  expect(listed.map(({ id }) => id)).toEqual([above, below])
  expect(await store.listSeries(above, 100, { org: 'tree', below: false })).toEqual([])
})
