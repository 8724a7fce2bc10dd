import { migrated } from '@longreach/kit/database'
import { keepMonths, monthlyTablesOf } from '@longreach/kit/months-upkeep'
import { createSecrets } from '@longreach/kit/secrets'
import { testDatabase, type TestDatabase } from '@longreach/kit/test-database'
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendRecords } from './chain/chain-writer.ts'
import { sealsOf } from './chain/seals.ts'
import type { AuditDb } from './database.ts'
import { countValues, entryById, oldestEntry, searchEntries } from './entries/entry-store.ts'
import { record } from './records-for-tests.ts'
import { deleteOldEntries } from './retention/retention-job.ts'
import { chooseRetention } from './retention/retention-store.ts'
import { audit } from './service.ts'
import { verifyChain } from './verification/verify-chain.ts'

const hourMs = 3_600_000
const begun = Date.parse('2026-01-05T12:00:00Z')
const { log } = Fastify()
const seals = sealsOf(createSecrets(Buffer.alloc(32, 7)))
const tables = monthlyTablesOf(audit)
let database: TestDatabase
let db: Kysely<AuditDb>

beforeEach(async () => {
  database = await testDatabase()
  db = await migrated(database.db, 'audit', new URL('./migrations/', import.meta.url))
})
afterEach(() => database.close())

const keep = async (now: Date, smallBytes = 0) => {
  for (const placed of tables) await keepMonths(database.pool, placed, { now, smallBytes })
}
const check = () => verifyChain({ db, seals })
const places = async () => {
  const { rows } = await database.pool.query<{ place: string; count: number }>(
    `select tableoid::regclass::text as place, count(*)::int as count from audit.entry group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]))
}

/** Entries of every hour, each seventh one of another organization. */
async function append(count: number, from = begun) {
  for (let made = 0; made < count; made += 1_000) {
    const records = Array.from({ length: Math.min(1_000, count - made) }, (_, index) =>
      record({
        at: new Date(from + (made + index) * hourMs),
        id: `oven-${index % 20}`,
        organization: index % 7 === 0 ? 'nordwerk.service' : 'nordwerk',
      }),
    )
    await db.transaction().execute((tx) => appendRecords(tx, seals, records))
  }
}

const scope = { organization: 'nordwerk', subtree: true, unplaced: false }
async function answers() {
  const search = async (wanted: object) => {
    const pages = []
    let after
    for (let page = 0; page < 10; page += 1) {
      const rows = await searchEntries(db, { scope, wanted, after, limit: 77 })
      pages.push(rows)
      after = rows.at(-1)
    }
    return pages
  }
  return JSON.stringify([
    await search({}),
    await search({ target: 'oven-7' }),
    await search({ text: 'oven' }),
    await search({ from: new Date(begun + 900 * hourMs), to: new Date(begun + 1_300 * hourMs) }),
    await entryById(db, scope, 4_321),
    await oldestEntry(db, scope),
    await countValues(db, scope, {}),
    await check(),
  ])
}

test('a large trail answers the same in months, and its chain is whole', async () => {
  await append(20_000)
  const before = await answers()
  expect(JSON.parse(before).at(-1)).toEqual({ lines: 20_000, links: 20_000, fault: null })
  const now = new Date(begun + 20_000 * hourMs)
  await keep(now)
  expect(Object.keys(await places())).toEqual(['audit.entry_first'])
  expect(await answers()).toBe(before)
  await keep(new Date(now.getTime() + 31 * 24 * hourMs))
  await append(2_000, now.getTime())
  expect(Object.keys(await places()).length).toBeGreaterThan(1)
  expect(await check()).toEqual({ lines: 22_000, links: 22_000, fault: null })
})

test('an entry that stands twice, in two months, is found', async () => {
  await keep(new Date(begun), 1e9)
  await append(20)
  await database.pool.query(`create table audit.copy as table audit.entry;
    update audit.copy set at = at + interval '40 days';
    insert into audit.entry select * from audit.copy where seq = 7; drop table audit.copy`)
  expect((await check()).fault).toMatchObject({ kind: 'added', seq: 7 })
})

test('each organization keeps its entries for its time; a month with few left is dropped, and these stay', async () => {
  await keep(new Date(begun), 1e9)
  await append(4 * 31 * 24)
  const long = { organization: 'nordwerk.service', days: 3_650, now: new Date(begun) }
  await chooseRetention(db, seals, long)
  const now = new Date('2027-03-15T00:00:00Z')
  await keep(now, 1e9)
  const inMonths = await places()
  const all = Object.values(inMonths).reduce((sum, count) => sum + count)
  expect(all).toBe(2_976)

  await deleteOldEntries({ db, seals, now: () => now, log })
  const kept = await database.pool.query<{ count: number; others: number }>(
    `select count(*)::int as count, (count(*) filter (where organization = 'nordwerk'
       and at < '2026-03-15'))::int as others from audit.entry`,
  )
  expect(kept.rows[0]?.others).toBe(0)
  const before = await check()
  expect(before).toMatchObject({ fault: null, lines: kept.rows[0]?.count })
  await keep(now, 1e9)
  expect(await check()).toEqual(before)
  const after = await places()
  expect(Object.keys(after)).not.toContain('audit.entry_2026_02')
  expect(Object.values(after).reduce((sum, count) => sum + count)).toBe(before.lines)
})
