import { testDatabase } from '@longreach/kit/test-database'
import { expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import { openTelemetry } from './store.ts'

const each = 520 // enough values for a chunk of their own, outside of bundles

test('buckets of more chunks than are fetched at a time are those of all values', async () => {
  const database = await testDatabase()
  const store = await openTelemetry({ pool: database.pool })
  try {
    const series: number[] = []
    for (let n = 0; n < 260; n += 1)
      series.push(await store.seriesOf('acme', `press-${n}`, 'Line:1/force', 'double'))
    const rows = Array.from({ length: each }, (_, row) => row)
    for (const id of series) {
      const v = rows.map((row) => (id * row) % 97)
      await store.append({ series: rows.map(() => id), t: rows.map((row) => row * 1000), v })
    }
    await store.sealNow()
    const { rows: stored } = await database.pool.query('select from telemetry.chunk')
    expect(stored).toHaveLength(series.length)

    const span = { since: 7_000, to: 500_500, width: 60_000 }
    for (const asked of [series, series.slice(0, 70)]) {
      const expected = asked.map((id) =>
        bucketsByHand(new Map(rows.map((row) => [row * 1000, (id * row) % 97])), span),
      )
      expect(await store.buckets(asked, span)).toEqual(expected)
    }
  } finally {
    await store.close()
    await database.close()
  }
})
