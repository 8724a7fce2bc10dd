import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Database, migrated, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus } from '@longreach/kit/events'
import { keepMonths, monthlyTablesOf } from '@longreach/kit/months-upkeep'
import { createProcesses } from '@longreach/kit/own-process'
import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../services/platform/src/database.ts'
import { connectionsOf, uptimeOf } from '../services/platform/src/devices/connection-store.ts'
import { activityOf } from '../services/platform/src/devices/device-activity.ts'
import { logOf } from '../services/platform/src/devices/device-log-store.ts'
import { connectionHistory } from '../services/platform/src/devices/device-state-store.ts'
import { timeLineOf } from '../services/platform/src/moments/moment-store.ts'
import { platform } from '../services/platform/src/service.ts'
import { argument, bestMs, print, say } from './report.ts'

// npm run bench -- months [--rows=300000] [--upgraded=300000]
// Questions about one device, and about 100 in a list, in tables of 36 months beside the same rows in plain
// tables; then the longest wait of a writer while a plain table becomes one of months.
const rows = argument('rows', 300_000)
const upgraded = argument('upgraded', 300_000)
const [devices, dayMs] = [1_000, 86_400_000]
const now = new Date()
const began = new Date(now.getTime() - 1_080 * dayMs)
const tables = monthlyTablesOf(platform)

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-months-'))
const server = await startPostgres({ dataDir: folder, settings: { max_wal_size: '2GB' } })

const failed = (error: Error) => say(error.message)
type Side = Database & { platform: Kysely<ServiceDb> }
async function database(name: string): Promise<Side> {
  const first = openDatabase({ ...server.connection, max: 1 }, failed)
  await first.pool.query(`create database ${name}`)
  await first.close()
  const opened = openDatabase({ ...server.connection, database: name, max: 10 }, failed)
  await createBus(opened.db)
  await createProcesses(opened.db)
  const folderOfTables = new URL('../services/platform/src/migrations/', import.meta.url)
  return { ...opened, platform: await migrated(opened.db, 'platform', folderOfTables) }
}

/** Rows of three years, and a tenth as many of the log; what a device does comes at any time, and in the order of time over all devices. */
async function fill({ db }: Side, count: number) {
  const time = sql`${began}::timestamptz + g * (interval '1080 days' / ${count})`
  await sql`insert into platform.device_state (device_id, org, connected_at, disconnected_at)
    select 'device-' || g, 'exor', ${now}::timestamptz - interval '3 days', ${now}::timestamptz - interval '4 days'
    from generate_series(0, ${devices - 1}) g`.execute(db)
  const device = sql`'device-' || (hashint4(g) & 1023) % ${devices}`
  await sql`insert into platform.connection_event (device_id, at, connected, org)
    select ${device}, ${time}, g % 2 = 0, 'exor' from generate_series(1, ${count}) g
    on conflict do nothing`.execute(db)
  await sql`insert into platform.connection_event (device_id, at, connected, org)
    select device_id, connected_at, true, org from platform.device_state`.execute(db)
  await sql`insert into platform.moment (id, device_id, org, at, kind, made_at, data)
    select gen_random_uuid(), ${device}, 'exor', ${time}, case g % 20 when 0 then 'comment' when 1 then 'write'
      else 'connection' end, ${time}, '{"connected":true,"ip":"10.0.0.1"}'
    from generate_series(1, ${count}) g`.execute(db)
  const logged = Math.ceil(count / 10)
  await sql`insert into platform.device_log (device_id, org, at, system, level, data)
    select ${device}, 'exor', ${now}::timestamptz - g * (interval '30 days' / ${logged}), false, 'info', '{}'
    from generate_series(1, ${logged}) g`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const all = { since: undefined, to: undefined, limit: 50 }
const since = (days: number) => ({ ...all, since: new Date(now.getTime() - days * dayMs) })
const middle = new Date(now.getTime() - 500 * dayMs)
const ids = Array.from({ length: 100 }, (_, index) => `device-${index * 7}`)
const some = () => ({ id: `device-${Math.floor(Math.random() * 700)}`, org: 'exor' })
const nowhere = { id: 'device-of-nobody', org: 'exor' }
const line = { ...all, kinds: undefined, before: undefined, now }

const questions: Record<string, (db: Kysely<ServiceDb>) => Promise<unknown>> = {
  'time-line, newest 50': (db) => timeLineOf(db, some(), line),
  'time-line, 50 in the middle': (db) =>
    timeLineOf(db, some(), {
      ...line,
      before: { at: middle, id: '7fffffff-ffff-7fff-bfff-ffffffffffff' },
    }),
  'time-line, a week': (db) => timeLineOf(db, some(), { ...line, ...since(7) }),
  'time-line of a device without any': (db) => timeLineOf(db, nowhere, line),
  'connections, newest 50': (db) => connectionsOf(db, some(), all),
  'connections of a week': (db) => connectionHistory(db, some().id, since(7)),
  uptime: (db) => uptimeOf(db, some(), now),
  'log, newest 50': (db) => logOf(db, some(), { ...all, system: true, now }),
  'activity of 100 devices': (db) => activityOf(db, ids, new Date(now.getTime() - dayMs)),
}

async function askBoth() {
  const [plain, months] = [await database('plain'), await database('months')]
  for (const at of [began, now]) for (const placed of tables) await keepOf(months, placed, at)
  await fill(plain, rows)
  await fill(months, rows)
  const lines = []
  for (const [what, ask] of Object.entries(questions)) {
    const ours = await bestMs(200, () => ask(months.platform))
    const peer = await bestMs(200, () => ask(plain.platform))
    lines.push({ what, unit: 'ms', ours, peers: { 'plain table': peer }, better: 'less' as const })
  }
  print(`${rows} rows of each table, a tenth of the log, 36 months`, lines)
  await plain.close()
  await months.close()
}

/** Like the upkeep, without ageing: rows of all months stay. */
const keepOf = ({ pool }: Side, placed: (typeof tables)[number], at: Date) =>
  keepMonths(pool, { ...placed, keptMs: 3_650 * dayMs }, { now: at })

/** Longest wait in ms of somebody who writes one row after another while the work is done. */
async function longestWait(side: Side, work: () => Promise<unknown>) {
  let isDone = false
  let [longest, written] = [0, 0]
  const writing = (async () => {
    while (!isDone) {
      const start = performance.now()
      await side.pool.query(`with event as (insert into platform.connection_event values
          ('device-' || (random() * 999)::int, clock_timestamp(), true, 'exor') on conflict do nothing)
        insert into platform.moment (id, device_id, org, at, kind, made_at)
        values (gen_random_uuid(), 'device-' || (random() * 999)::int, 'exor', now(), 'connection', now())`)
      longest = Math.max(longest, performance.now() - start)
      written += 1
    }
  })()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1_000
  isDone = true
  await writing
  return { longest, written, seconds }
}

async function upgrade() {
  const side = await database('upgraded')
  await fill(side, upgraded)
  const told = []
  const quiet = await longestWait(side, () => new Promise((done) => setTimeout(done, 5_000)))
  told.push({ what: 'nothing', ...quiet })
  for (const placed of tables) {
    const waited = await longestWait(side, () => keepOf(side, placed, now))
    told.push({ what: `months of ${placed.table}`, ...waited })
  }
  const soon = new Date(now.getTime() + 45 * dayMs)
  for (const placed of tables) {
    const waited = await longestWait(side, () => keepOf(side, placed, soon))
    told.push({ what: `the next month of ${placed.table}`, ...waited })
  }
  const old = tables.map((placed) => ({ ...placed, keptMs: 0, goes: 'false' }))
  for (const placed of old) {
    const later = new Date(soon.getTime() + 120 * dayMs)
    const waited = await longestWait(side, () => keepMonths(side.pool, placed, { now: later }))
    told.push({ what: `old months of ${placed.table}`, ...waited })
  }
  process.stdout.write(
    `\nThe longest wait of a writer, ${upgraded} rows of each table, a tenth of the log\n\n`,
  )
  for (const { what, longest, seconds, written } of told)
    process.stdout.write(
      `${what.padEnd(40)} ${longest.toFixed(0).padStart(6)} ms in ${seconds.toFixed(1)} s, ${written} rows written\n`,
    )
  await side.close()
}

await askBoth()
await upgrade()
await server.stop()
await rm(folder, { recursive: true, force: true })
