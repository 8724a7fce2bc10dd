import { migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { keepMonths, monthlyTablesOf } from '@longreach/kit/months-upkeep'
import { createProcesses } from '@longreach/kit/own-process'
import { testDatabase, type TestDatabase } from '@longreach/kit/test-database'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceDb } from './database.ts'
import { connectionsOf, flappingOf, uptimeOf } from './devices/connection-store.ts'
import { activityOf } from './devices/device-activity.ts'
import { insertLog, logOf } from './devices/device-log-store.ts'
import { connectionHistory } from './devices/device-state-store.ts'
import { commentsOf, insertMoments, timeLineOf } from './moments/moment-store.ts'
import { platform } from './service.ts'

// The tables as the version before left them, then in months: answers are the same.

const now = new Date('2026-11-26T12:00:00Z')
const [dayMs, rowsOfEach] = [86_400_000, 100_000]
const tables = monthlyTablesOf(platform)
const longAgo = new Date(now.getTime() - 400 * dayMs)
const ids = Array.from({ length: 21 }, (_, index) => `device-${index}`)
let database: TestDatabase
let db: Kysely<ServiceDb>

beforeEach(async () => {
  database = await testDatabase()
  await createBus(database.db)
  await createProcesses(database.db)
  db = await migrated(database.db, 'platform', new URL('./migrations/', import.meta.url))
})
afterEach(() => database.close())

const keep = async (at = now) => {
  for (const placed of tables) await keepMonths(database.pool, placed, { now: at })
}
const ask = async (text: string) => (await database.pool.query<{ text: string }>(text)).rows
const places = async (table: string) =>
  (
    await ask(`select distinct tableoid::regclass::text as text from platform.${table} order by 1`)
  ).map(({ text }) => text)

/** Rows of 20 devices over two and a half years, some of one and the same ms, and plans far ahead. */
async function fill() {
  await sql`insert into platform.connection_event (device_id, at, connected, org, ip)
    select 'device-' || g % 20, ${now}::timestamptz - g * interval '13 minutes', (g / 20) % 2 = 0, 'exor',
      '10.0.0.' || g % 20 from generate_series(1, ${rowsOfEach}) g`.execute(db)
  await sql`insert into platform.device_state (device_id, org, connected_at, disconnected_at)
    select device_id, org, max(at) filter (where connected), max(at) filter (where not connected)
    from platform.connection_event group by 1, 2`.execute(db)
  // Devices that were away for long, and one that nothing is known of.
  await sql`delete from platform.connection_event where at > ${longAgo} and device_id in ('device-4', 'device-5')`.execute(
    db,
  )
  await sql`delete from platform.connection_event where device_id = 'device-6'`.execute(db)
  await sql`update platform.device_state s set
      connected_at = (select max(at) from platform.connection_event e where e.device_id = s.device_id and connected),
      disconnected_at = (select max(at) from platform.connection_event e where e.device_id = s.device_id
        and not connected)
    where device_id in ('device-4', 'device-5', 'device-6')`.execute(db)
  await sql`insert into platform.moment (id, device_id, org, at, kind, made_at, data)
    select gen_random_uuid(), 'device-' || g % 20, 'exor', t, case g % 50 when 0 then 'comment' else 'connection' end,
      t, jsonb_build_object('text', g) from generate_series(1, ${rowsOfEach}) g cross join lateral
      (select date_trunc('hour', ${now}::timestamptz - g * interval '13 minutes') as t) at`.execute(
    db,
  )
  await sql`insert into platform.moment (id, device_id, org, at, kind, made_at, data)
    select gen_random_uuid(), 'device-3', 'exor', ${now}::timestamptz + g * interval '100 days', 'comment',
      ${now}, '{"text":"planned"}' from generate_series(1, 5) g`.execute(db)
  await sql`insert into platform.device_log (device_id, org, at, system, level, data)
    select 'device-' || g % 20, 'exor', ${now}::timestamptz - (${rowsOfEach} - g) * interval '20 seconds', g % 3 = 0,
      'info', '{}' from generate_series(1, ${rowsOfEach}) g`.execute(db)
}

async function answers() {
  const device = { id: 'device-3', org: 'exor' }
  const range = (since: number, to: number) => ({
    since: new Date(now.getTime() - since * dayMs),
    to: new Date(now.getTime() - to * dayMs),
    limit: 500,
  })
  const all = { since: undefined, to: undefined, limit: 300 }
  const pages = []
  let before: { at: Date; id: string } | undefined
  for (let page = 0; page < 20; page += 1) {
    const rows = await timeLineOf(db, device, { ...all, limit: 97, kinds: undefined, before, now })
    pages.push(rows)
    before = rows.at(-1)
  }
  return JSON.stringify([
    pages,
    await commentsOf(db, [device, { id: 'device-10', org: 'exor' }], all),
    await commentsOf(db, [device], range(400, 300)),
    await connectionHistory(db, device.id, range(200, 100)),
    await connectionHistory(db, device.id, all),
    await connectionsOf(db, device, all),
    await connectionsOf(db, device, range(90, 3)),
    await uptimeOf(db, device, now),
    await flappingOf(db, device, now),
    await activityOf(db, ids, new Date(now.getTime() - dayMs)),
    await activityOf(db, ids, longAgo),
    await logOf(db, device, { ...all, system: true, now }),
    await logOf(db, device, { ...range(9, 2), system: false, now }),
  ])
}

test(
  '100,000 rows of each table answer the same after the upgrade',
  { timeout: 120_000 },
  async () => {
    await fill()
    const before = await answers()
    await keep()
    expect(await places('moment')).toEqual(['platform.moment_first', 'platform.moment_later'])
    expect(await answers()).toBe(before)
    for (const table of ['connection_event', 'device_log'])
      expect(await places(table)).toEqual([`platform.${table}_first`])
    // A month later the usual ones are there, and the plans are in them.
    await keep(new Date('2027-02-01T00:00:00Z'))
    expect(await places('moment')).toContain('platform.moment_2027_03')
  },
)

test('the activity of devices says what the table of changes says', async () => {
  await fill()
  for (const days of [0.01, 1, 30, 399, 401, 900, 2_000]) {
    const since = new Date(now.getTime() - days * dayMs)
    const { rows } = await sql<{ id: string; before: boolean | null }>`
      select device_id as id, (select e.connected from platform.connection_event e
        where e.device_id = s.device_id and e.at < ${since} order by e.at desc limit 1) as before
      from platform.device_state s order by 1`.execute(db)
    const found = await activityOf(db, ids, since)
    const said = found.map(({ deviceId: id, connectedBefore: before }) => ({ id, before }))
    expect(said.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  }
})

test('rows go to their month, and a month goes when it is over for long but for comments', async () => {
  await keep(new Date('2026-01-05T00:00:00Z'))
  const at = new Date('2026-01-07T00:00:00Z')
  const moment = { device_id: 'device-3', org: 'exor', at, made_at: at, data: { text: 'hi' } }
  await insertMoments(db, [
    { ...moment, kind: 'connection' },
    { ...moment, kind: 'comment' },
  ])
  const entry = { device_id: 'device-3', org: 'exor', at, system: false, level: 'info', path: null }
  await insertLog(db, [{ ...entry, data: {} }])
  await db
    .insertInto('connection_event')
    .values({ device_id: 'device-3', org: 'exor', at, connected: true, ip: null })
    .execute()
  for (const { table } of tables) expect(await places(table)).toEqual([`platform.${table}_2026_01`])

  const device = { id: 'device-3', org: 'exor' }
  const asked = {
    since: undefined,
    to: undefined,
    limit: 10,
    now: new Date('2026-02-07T00:00:00Z'),
  }
  expect(await logOf(db, device, { ...asked, system: true })).toEqual([])
  await keep(new Date('2026-03-03T00:00:00Z'))
  expect(await places('device_log')).toEqual([])
  expect(await places('moment')).toEqual(['platform.moment_2026_01'])

  // Three years are over; the month is not, so that its rows are only not shown.
  const later = {
    ...asked,
    kinds: undefined,
    before: undefined,
    now: new Date('2029-01-10T00:00:00Z'),
  }
  expect(await timeLineOf(db, device, later)).toMatchObject([{ kind: 'comment' }])
  await keep(later.now)
  expect(await places('connection_event')).toEqual(['platform.connection_event_2026_01'])
  await keep(new Date('2029-02-02T00:00:00Z'))
  expect(await places('connection_event')).toEqual([])
  expect(await places('moment')).toEqual(['platform.moment_first'])
  expect(await timeLineOf(db, device, later)).toMatchObject([{ kind: 'comment' }])
})
