import { testDatabase } from '@longreach/kit/test-database'
import { expect, test } from 'vitest'
import { migrate } from './database.ts'
import { Keys } from './keys.ts'
import { Live } from './live.ts'
import { OtherWriters } from './other-writers.ts'
import { Reader } from './reader.ts'

const start = Date.UTC(2026, 0, 5)
const perSeries = 60_000

/** Counts the values taken from memory between two turns of the event loop. */
class CountingLive extends Live {
  private since = 0
  most = 0
  override columns(...asked: Parameters<Live['columns']>) {
    const found = super.columns(...asked)
    for (const { t } of found) this.since += t.length
    this.most = Math.max(this.most, this.since)
    return found
  }
  look() {
    this.since = 0
  }
}

test('figures of many long series in memory are made a few series at a time', async () => {
  const { pool, close } = await testDatabase()
  await migrate(pool)
  const live = new CountingLive()
  const ids = Array.from({ length: 10 }, (_, at) => at + 1)
  for (const id of ids) for (let n = 0; n < perSeries; n += 1) live.add(id, start + n, n, 0)
  const reader = new Reader({
    pool,
    live,
    keys: new Keys(pool),
    others: new OtherWriters({ pool, onNews: () => undefined, ask: undefined }),
    writer: () => 1,
  })
  let asking = true
  const look = () => {
    live.look()
    if (asking) setImmediate(look)
  }
  look()
  const range = { since: start, to: start + perSeries, width: perSeries }
  const buckets = await reader.buckets(ids, range)
  asking = false
  expect(buckets.map(([one]) => one?.count)).toEqual(ids.map(() => perSeries))
  expect(live.most).toBeGreaterThan(perSeries)
  expect(live.most).toBeLessThanOrEqual(200_000)
  await close()
})
