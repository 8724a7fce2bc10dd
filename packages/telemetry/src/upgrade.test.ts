import { readFile } from 'node:fs/promises'
import { testDatabase } from '@longreach/kit/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import { openTelemetry } from './store.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const before = ['001-telemetry.sql', '010-steps.sql', '020-bundles.sql']
// 20 values, a second apart; the one at 7 is -0. Written before exceptions were stored separately.
const bits =
  'EBQBgKCr/vli6AcAAAAAzf5VAFVVZs2r/JqaVwDNMwAzAADM/1UAVVVmzKr/mZlVAMwzADMAAMz/VQBVVWbMqv+ZmVUAzDMAMwAAzP9VAFVVZsyq/5mZVQDMMwAzAADM/1UAVVVmzKr/mZlVAMwzADMAAMz/VQBVVWbMqv+ZmVUAzDMAMwAAIALU6D0lBiMzBTExBTM5HSQ95gBAAH//AABAwACAAACAAACAAAD/'
const first = 1_700_000_000_000

async function makeOld() {
  const { pool } = database
  await pool.query(
    `create schema telemetry; create table telemetry.migration (name text primary key)`,
  )
  for (const name of before) {
    const sql = await readFile(new URL(`migrations/${name}`, import.meta.url), 'utf8')
    await pool.query(`set search_path to telemetry; ${sql}; reset search_path`)
    await pool.query(`insert into telemetry.migration values ($1)`, [name])
  }
  await pool.query(`insert into telemetry.series (org, device, path, type)
    select 'acme', 'oven', 'Oven:1/' || n, 'double' from generate_series(1, 100) n`)
  await pool.query(`insert into telemetry.last_value (series, t, q, v)
    select id, 1000 * id, id % 3, case when id % 7 = 0 then to_json('a "b", {c}'::text)::text else (id / 10.0)::text end
    from telemetry.series where id <> 50`)
  await pool.query(
    `insert into telemetry.chunk (series, t0, t1, version, n, numbers, data) values (50, $1, $2, 1, 20, 20, $3)`,
    [first, first + 19_000, Buffer.from(bits, 'base64')],
  )
}

test('what an older version stored is there after an upgrade: chunks and newest values', async () => {
  await makeOld()
  const store = await openTelemetry({ pool: database.pool })
  const found = await store.last([1, 7, 32, 50, 64, 100, 101])
  expect(found).toEqual([
    { t: 1000, v: 0.1, q: 1 },
    { t: 7000, v: 'a "b", {c}', q: 1 },
    { t: 32_000, v: 3.2, q: 2 },
    undefined,
    { t: 64_000, v: 6.4, q: 1 },
    { t: 100_000, v: 10, q: 1 },
    undefined,
  ])
  const values = []
  for await (const page of store.read(50, { since: first, to: first + 20_000 }))
    values.push(...page)
  expect(values).toHaveLength(20)
  expect(values[7]).toEqual({ t: first + 7000, v: -0, q: 0 })
  const range = { since: first + 2500, to: first + 18_500, width: 5000 }
  const [buckets] = await store.buckets([50], range)
  expect(buckets).toEqual(bucketsByHand(new Map(values.map(({ t, v }) => [t, v])), range))
  await store.append({ series: [64, 65], t: [1, 66_000], v: [1, 2] })
  await store.sealNow()
  await store.close()
  const again = await openTelemetry({ pool: database.pool })
  expect((await again.last([63, 64, 65])).map((one) => one?.v)).toEqual(['a "b", {c}', 6.4, 2])
  await again.close()
})

test('processes that write the newest values of neighbours at once lose none, and forgetting one leaves the others', async () => {
  const { pool } = database
  const stores = await Promise.all([
    openTelemetry({ pool }),
    openTelemetry({ pool }),
    openTelemetry({ pool }),
  ])
  const ids = await Promise.all(
    Array.from({ length: 96 }, (_, n) =>
      stores[0].seriesOf('acme', `mixer-${n % 4}`, `Mixer:1/${n}`, 'double'),
    ),
  )
  await Promise.all(
    stores.map(async (store, at) => {
      const own = ids.filter((_, n) => n % 3 === at)
      for (let t = 1; t <= 5; t += 1) {
        await store.append({ series: own, t: own.map(() => t), v: own.map((id) => id * 10 + t) })
        await store.sealNow()
      }
    }),
  )
  await stores[0].forget('mixer-2')
  await Promise.all(stores.map((store) => store.close()))
  const fresh = await openTelemetry({ pool })
  expect(await fresh.last(ids)).toEqual(
    ids.map((id, n) => (n % 4 === 2 ? undefined : { t: 5, v: id * 10 + 5, q: 0 })),
  )
  await fresh.close()
})
