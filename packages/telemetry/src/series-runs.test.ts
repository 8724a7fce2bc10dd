import { testDatabase } from '@longreach/kit/test-database'
import { expect, test } from 'vitest'
import { makeEarlierKeys } from './earlier-keys.ts'
import { openTelemetry } from './store.ts'

test('series made by several processes at once lie in runs of their devices, each id once', async () => {
  const { pool, close } = await testDatabase()
  const stores = await Promise.all([1, 2, 3].map(() => openTelemetry({ pool })))
  const [devices, paths] = [20, 70]
  const wanted = Array.from({ length: devices * paths }, (_, n) => n)
  const made = await Promise.all(
    stores.map(async (store, at) => {
      const ids = new Map<string, number>()
      // Each begins elsewhere, and asks for some at a time.
      const turned = wanted.map((n) => (n * 37 + at * 501) % wanted.length)
      for (let from = 0; from < turned.length; from += 100)
        await Promise.all(
          turned.slice(from, from + 100).map(async (n) => {
            const [device, path] = [`device-${n % devices}`, `Line:1/${Math.floor(n / devices)}`]
            ids.set(`${device} ${path}`, await store.seriesOf('acme', device, path, 'double'))
          }),
        )
      return ids
    }),
  )
  const [first = new Map<string, number>(), ...others] = made
  expect(first.size).toBe(wanted.length)
  expect(new Set(first.values()).size).toBe(wanted.length)
  const sorted = (ids: Map<string, number>) => [...ids].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const other of others) expect(sorted(other)).toEqual(sorted(first))
  const runs = new Map<string, Set<string>>()
  for (const [name, id] of first) {
    const [device = ''] = name.split(' ')
    const size = [4, 8, 16, 32][(id >> 8) % 4] ?? 0
    const run = `${size} from ${id - (id % size)}`
    runs.set(run, (runs.get(run) ?? new Set()).add(device))
  }
  expect([...runs.values()].every((of) => of.size === 1)).toBe(true)
  // At most 4, 8, 16, 32 and 32 ids, in the order in which a device was asked for.
  expect(runs.size).toBeLessThanOrEqual(devices * 5)
  for (const store of stores) await store.close()
  await close()
})

test('small devices share a slot, and what a device is asked for at once lies in one row of newest values', async () => {
  const { pool, close } = await testDatabase()
  const store = await openTelemetry({ pool })
  const made = (device: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => store.seriesOf('acme', device, `tag ${n}`, 'double')),
    )
  const small: number[] = []
  for (let n = 0; n < 64; n += 1) small.push(...(await made(`sensor ${n}`, 3)))
  expect(new Set(small.map((id) => id >> 8)).size).toBe(1)
  expect(new Set((await made('press', 30)).map((id) => id >> 5)).size).toBe(1)
  // One by one: runs of 4, 8, 16 and 32 ids.
  const oven: number[] = []
  for (let n = 0; n < 60; n += 1)
    oven.push(await store.seriesOf('acme', 'oven', `tag ${n}`, 'double'))
  expect(new Set(oven.map((id) => id >> 5)).size).toBe(4)
  expect(new Set(oven).size).toBe(60)
  await store.close()
  await close()
})

test('ids of before stay, a new series of such a device begins a run, and a forgotten id is not given again', async () => {
  const { pool, close } = await testDatabase()
  const store = await openTelemetry({ pool })
  const kept = await store.seriesOf('acme', 'press', 'a', 'double')
  const last = await store.seriesOf('acme', 'oven', 'a', 'double')
  await store.close()
  await makeEarlierKeys(pool)
  await pool.query(`select setval('telemetry.series_id_seq', 500)`)
  const later = await openTelemetry({ pool })
  const next = await later.seriesOf('acme', 'press', 'b', 'double')
  expect(next % 4).toBe(0)
  expect(next).toBeGreaterThan(500)
  expect(await later.seriesOf('acme', 'press', 'c', 'double')).toBe(next + 1)
  expect(await later.seriesOf('acme', 'press', 'a', 'double')).toBe(kept)
  expect(await later.seriesOf('acme', 'oven', 'a', 'double')).toBe(last)
  await later.forget('press')
  const again = await later.seriesOf('acme', 'press', 'a', 'double')
  expect(again).toBe(next + 4)
  await later.close()
  await close()
})
