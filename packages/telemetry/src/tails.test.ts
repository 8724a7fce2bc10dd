import { testDatabase } from '@longreach/kit/test-database'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openTelemetry } from './store.ts'
import { at, networkOf, seriesOf, start, valuesOf } from './tails-testing.ts'

/** Times that blocks of the write-ahead table were read. */
const readsOf = (pool: pg.Pool) => {
  const query = vi.spyOn(pool, 'query')
  return () =>
    query.mock.calls.filter(([first]) => {
      const text = typeof first === 'string' ? first : (first as unknown as pg.QueryConfig).text
      return text.includes('data from telemetry.head')
    }).length
}

test('values that another process has not moved into chunks are asked of it; the table is read when it is silent', async () => {
  const { pool, close } = await testDatabase()
  const { network, asked, silent, writers } = networkOf()
  const first = await openTelemetry({ pool, network })
  const second = await openTelemetry({ pool, network })
  const [a, b] = [await seriesOf(first, 'a'), await seriesOf(first, 'b')]
  await first.append({ series: [a, a, b], t: [at(1), at(2), at(1)], v: [1, 2, 10], q: [0, 2, 0] })
  await first.appendLast({ series: [b], t: [at(5)], v: [50] })
  const reads = readsOf(pool)
  asked.length = 0
  const expectAll = async () => {
    expect(await valuesOf(second, a)).toEqual([
      [at(1), 1],
      [at(2), 2],
    ])
    expect(await valuesOf(second, b)).toEqual([[at(1), 10]])
    expect(await second.last([b, a])).toEqual([
      { t: at(5), v: 50, q: 0 },
      { t: at(2), v: 2, q: 2 },
    ])
    const [buckets] = await second.buckets([a], { since: start, to: at(10), width: 10_000 })
    expect(buckets).toMatchObject([{ count: 2, sum: 3 }])
  }
  await expectAll()
  expect(asked.length).toBe(4)
  expect(reads()).toBe(0)
  for (const writer of writers()) silent.add(writer)
  await expectAll()
  expect(reads()).toBe(1)
  await first.close()
  silent.clear()
  await expectAll()
  await second.close()
  await close()
})

test('an answer that would be too large is read from the table, and moves the values into chunks', async () => {
  const { pool, close } = await testDatabase()
  const { network } = networkOf()
  let late = 0
  const first = await openTelemetry({ pool, network, now: () => Date.now() + late })
  const second = await openTelemetry({ pool, network })
  const series = await seriesOf(first, 'long')
  const count = 220_000
  for (let from = 0; from < count; from += 20_000) {
    const some = Array.from({ length: 20_000 }, (_, n) => from + n)
    await first.append({ series: some.map(() => series), t: some.map(at), v: some })
  }
  const reads = readsOf(pool)
  const [buckets] = await second.buckets([series], { since: start, to: at(count), width: 1e9 })
  expect(buckets).toMatchObject([{ count, last: count - 1 }])
  expect(reads()).toBeGreaterThan(0)
  late = 10_000
  await vi.waitFor(async () => {
    const { rows } = await pool.query('select from telemetry.head')
    expect(rows).toEqual([])
  }, 30_000)
  const before = reads()
  const [again] = await second.buckets([series], { since: start, to: at(count), width: 1e9 })
  expect(again).toEqual(buckets)
  expect(reads()).toBe(before)
  for (const store of [first, second]) await store.close()
  await close()
})

test('what a process takes over is read from the table until it has it in memory', async () => {
  const { pool, close, connection } = await testDatabase()
  const { network } = networkOf()
  const first = await openTelemetry({ pool, network })
  const reader = await openTelemetry({ pool, network })
  const series = await seriesOf(first, 'a')
  await first.append({ series: [series], t: [at(1)], v: [1] })
  const heldUp = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const other = new pg.Pool(connection)
  const query = other.query.bind(other) as (...asked: unknown[]) => Promise<unknown>
  vi.spyOn(other, 'query').mockImplementation(async (...asked: unknown[]) => {
    if (JSON.stringify(asked[0]).includes('data from telemetry.head')) {
      begun.resolve()
      await heldUp.promise
    }
    return query(...asked)
  })
  await first.close()
  const opening = openTelemetry({ pool: other, network })
  // The reader may have taken it over itself.
  await Promise.race([begun.promise, opening])
  expect(await valuesOf(reader, series)).toEqual([[at(1), 1]])
  heldUp.resolve()
  const second = await opening
  for (const store of [reader, second]) {
    expect(await valuesOf(store, series)).toEqual([[at(1), 1]])
    await store.close()
  }
  await other.end()
  await close()
})
