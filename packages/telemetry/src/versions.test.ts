import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTelemetry, type TelemetryStore } from './store.ts'
import { versionsInBlock } from './writer-store.ts'

test('versions of several writers never repeat, and a fresh block is above all that was written', async () => {
  const { pool, close } = await testDatabase()
  const opened = await Promise.all([1, 2, 3].map(() => openTelemetry({ pool })))
  const stores = new Map(opened.entries())
  const series = (await stores.get(0)?.seriesOf('acme', 'press', 'a', 'double')) ?? 0
  let time = 0
  const write = async (at: number) => {
    time += 1
    await stores.get(at)?.append({ series: [series], t: [time], v: [at] })
  }
  const highest = async () => {
    const { rows } = await pool.query<{ count: number; versions: number; last: number }>(
      `select count(*)::int as count, count(distinct version)::int as versions,
         coalesce(max(version), 0)::float8 as last from telemetry.head`,
    )
    const { count = 0, versions = 0, last = 0 } = rows[0] ?? {}
    expect(versions).toBe(count)
    expect(count).toBeLessThanOrEqual(time)
    return last
  }
  const writer = fc.integer({ min: 0, max: 2 })
  const step = fc.record({
    together: fc.array(writer, { maxLength: 6 }),
    renews: fc.option(writer),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      for (const { together, renews } of steps) {
        await Promise.all(together.map(write))
        if (renews === null) continue
        const before = await highest()
        stores.get(renews)?.renewVersions()
        await write(renews)
        expect(await highest()).toBeGreaterThan(before)
      }
    }),
    { numRuns: 25 },
  )
  // A block ends before the next one begins, no matter which process takes it.
  const { rows } = await pool.query<{ by: number }>(
    `select increment_by::float8 as by from pg_sequences
     where schemaname = 'telemetry' and sequencename = 'version'`,
  )
  expect(rows).toEqual([{ by: versionsInBlock }])
  for (const store of opened) await store.close()
  await close()
})

test('a fresh block that is asked for while another is on its way is a later one', async () => {
  const { pool, close } = await testDatabase()
  const first = await openTelemetry({ pool })
  const second = await openTelemetry({ pool })
  const series = await first.seriesOf('acme', 'press', 'a', 'double')
  const write = (store: TelemetryStore, t: number) =>
    store.append({ series: [series], t: [t], v: [t] })
  await write(second, 1)
  const early = write(first, 2) // it takes its first block now
  second.renewVersions()
  await write(second, 3)
  first.renewVersions()
  await early
  await write(first, 4)
  const { rows } = await pool.query<{ writer: number; own: number }>(
    `select writer, (select min(id) from telemetry.writer) as own
     from telemetry.head order by version desc limit 1`,
  )
  expect(rows[0]?.writer).toBe(rows[0]?.own)
  for (const store of [first, second]) await store.close()
  await close()
})
