import { migrated } from '@longreach/kit/database'
import { createBus } from '@longreach/kit/events'
import { createOwnProcess, createProcesses } from '@longreach/kit/own-process'
import { testDatabase } from '@longreach/kit/test-database'
import Fastify from 'fastify'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ServiceDb } from '../database.ts'
import { connectionHistory, saveDevice } from '../devices/device-state-store.ts'
import { newDeviceId } from '../platform-testing.ts'
import { agreeWithLines } from './line-store.ts'
import { areLinesLost, endLostLines, loseLinesOfDead } from './lost-lines.ts'
import { createOwnLines } from './own-lines.ts'

// Processes are real ones on the database; only their clock is set, so that hours pass at once.

const minute = 60_000
const begun = Date.UTC(2026, 10, 21, 12)
let clock = begun
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<ServiceDb>
/** Processes that a failed test left. */
const closing: (() => Promise<void>)[] = []
let oven: string
let press: string

beforeEach(async () => {
  clock = begun
  database = await testDatabase()
  await createBus(database.db)
  await createProcesses(database.db)
  db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
  oven = newDeviceId()
  press = newDeviceId()
  for (const id of [oven, press]) {
    const facts = { id, org: 'exor', realm: 'exor', label: id, groups: [] }
    await saveDevice(db, facts, new Date(clock))
  }
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await database.close()
})

const now = () => new Date(clock)
/** Lets time pass, also for lines that wait for their devices. */
async function pass(ms: number) {
  clock += ms
  await sql`update platform.line set due = due - make_interval(secs => ${ms / 1000})`.execute(db)
}
/** Work of the process that looks after all lines, each second. */
async function sweep() {
  if (!(await areLinesLost(db))) return
  await loseLinesOfDead(db, { now: now(), graceMs: minute })
  await endLostLines(db)
}

/** A process that starts now, as the platform does before devices may come. */
async function started() {
  const own = createOwnProcess(database.pool)
  closing.push(own.close)
  await own.hold()
  await sweep()
  const log = Fastify({ logger: { level: 'silent' } }).log
  const lines = createOwnLines({ db, node: own.number, now, log, graceMs: minute })
  const ended: string[] = []
  return {
    ...lines,
    ended,
    comes(deviceId: string, clientId = 'main') {
      const end = () => void ended.push(deviceId)
      return lines.came({ deviceId, clientId }, { ip: '10.0.0.1', end })
    },
    /** Ends in order, as after a signal. */
    async stops() {
      lines.stop()
      await lines.close()
      await own.close()
    },
    /** Ends without a word. */
    async dies() {
      await lines.written()
      await own.close()
    },
  }
}
type Process = Awaited<ReturnType<typeof started>>

const historyOf = async (device: string) =>
  (await connectionHistory(db, device, { since: undefined, to: undefined, limit: 10 })).map(
    ({ at, connected }) => [(at.getTime() - begun) / minute, connected],
  )
const stateOf = (deviceId: string) =>
  db
    .selectFrom('device_state')
    .select(['connected', 'last_ip'])
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow()
const isConnected = async (deviceId: string) => (await stateOf(deviceId)).connected
const linesOf = (deviceId: string) =>
  db.selectFrom('line').selectAll().where('device_id', '=', deviceId).execute()
/** PostgreSQL has noticed that the process is gone, and its lines are marked. */
async function noticed(deviceId: string) {
  await expect
    .poll(async () => {
      await loseLinesOfDead(db, { now: now(), graceMs: minute })
      return (await linesOf(deviceId)).every(({ due }) => due !== null)
    })
    .toBe(true)
}

test('while no server is there no device counts as connected, but a restart changes nothing [C-21]', async () => {
  const first = await started()
  first.comes(oven)
  first.comes(press)
  await first.written()
  await pass(10 * minute)
  await first.stops()

  await pass(minute)
  const restarted = await started()
  restarted.comes(oven)
  restarted.comes(press)
  await restarted.written()
  await pass(5 * minute)
  await sweep()
  await restarted.stops()
  await pass(40 * minute)
  const later = await started()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([false, false])
  later.comes(oven)
  await later.written()

  expect(await historyOf(oven)).toEqual([
    [0, true],
    [16, false],
    [56, true],
  ])
  expect(await historyOf(press)).toEqual([
    [0, true],
    [16, false],
  ])
  await later.stops()
})

test('a short loss is no disconnection; a longer one is, since its beginning [C-21]', async () => {
  const process = await started()
  const leaves = process.comes(oven)
  await process.written()
  await pass(minute)
  leaves()
  await process.written()
  await pass(minute / 2)
  await sweep()
  expect(await isConnected(oven)).toBe(true)
  const leavesAgain = process.comes(oven)
  await process.written()
  await pass(minute)
  await sweep()
  expect(await historyOf(oven)).toEqual([[0, true]])
  leavesAgain()
  await process.written()
  await pass(minute)
  await sweep()
  expect(await isConnected(oven)).toBe(false)
  expect(await historyOf(oven)).toEqual([
    [0, true],
    [2.5, false],
  ])
  await process.stops()
})

test('while a process sends its devices to another one, each is waited for from its own end on [C-21]', async () => {
  const first = await started()
  const [ovenLeaves, pressLeaves] = [first.comes(oven), first.comes(press)]
  await first.written()
  const second = await started()
  await pass(10 * minute)
  first.stop({ clientsGoOn: true })
  ovenLeaves()
  pressLeaves()
  await first.written()
  expect((await linesOf(oven)).map(({ due }) => due)).toEqual([null])
  await sweep()
  second.comes(press)
  await second.written()
  await pass(3 * minute)
  await sweep()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([false, true])
  expect(await historyOf(oven)).toEqual([
    [0, true],
    [10, false],
  ])
  expect(await historyOf(press)).toEqual([[0, true]])
  await first.stops()
  await second.stops()
})

test('the start of a second process disconnects no device, neither at once nor later', async () => {
  const first = await started()
  first.comes(oven)
  await first.written()
  await pass(5 * minute)
  const second = await started()
  second.comes(press)
  await second.written()
  await pass(30 * minute)
  await sweep()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([true, true])
  await second.stops()
  await first.stops()
})

test('devices of a process that dies are disconnected after the grace time, unless they connect to another one', async () => {
  const first = await started()
  first.comes(oven)
  first.comes(press)
  const second = await started()
  await first.dies()
  await noticed(oven)
  expect([await isConnected(oven), await isConnected(press)]).toEqual([true, true])
  second.comes(oven)
  await second.written()
  await pass(3 * minute)
  await sweep()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([true, false])
  expect(await historyOf(oven)).toEqual([[0, true]])
  await second.stops()
})

test('a line that another process takes is not lost by the end of the old connection', async () => {
  const first = await started()
  const leaves = first.comes(oven)
  await first.written()
  const second = await started()
  second.comes(oven)
  await second.written()
  leaves()
  await first.written()
  await pass(10 * minute)
  await sweep()
  expect(await isConnected(oven)).toBe(true)
  expect(await linesOf(oven)).toMatchObject([{ lost_at: null }])
  await first.stops()
  expect(await linesOf(oven)).toMatchObject([{ lost_at: null }])
  await second.stops()
})

test('who holds a line that was taken ends it when it is told, and when it compares', async () => {
  const first = await started()
  first.comes(oven)
  first.comes(press)
  await first.written()
  const second = await started()
  second.comes(oven)
  second.comes(press)
  await second.written()
  const [taken] = await linesOf(oven)
  const told = { deviceId: oven, clientId: 'main', epoch: taken?.epoch ?? 0 }
  second.taken(told)
  expect(second.ended).toEqual([])
  first.taken({ ...told, epoch: 0 })
  expect(first.ended).toEqual([])
  first.taken(told)
  expect(first.ended).toEqual([oven])
  await second.compare()
  expect(second.ended).toEqual([])
  await first.compare()
  expect(first.ended).toContain(press)
  await first.stops()
  await second.stops()
})

test('a process that was taken for dead takes its lines again, and nobody is disconnected', async () => {
  const process = await started()
  process.comes(oven)
  process.comes(press)
  await process.written()
  await db.updateTable('line').set({ lost_at: now() }).where('device_id', '=', oven).execute()
  await db.deleteFrom('line').where('device_id', '=', press).execute()
  await process.compare()
  await process.written()
  await pass(10 * minute)
  await sweep()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([true, true])
  expect(process.ended).toEqual([])
  await process.stops()
})

test('a line that a process has by the table alone is lost', async () => {
  const process = await started()
  process.comes(press)
  await process.written()
  const [own] = await linesOf(press)
  await db
    .insertInto('line')
    .values({ ...own, device_id: oven, client_id: 'ghost', node: own?.node ?? 0, since: now() })
    .execute()
  await db.updateTable('device_state').set({ connected: true }).execute()
  await process.compare()
  await pass(minute)
  await sweep()
  expect([await isConnected(oven), await isConnected(press)]).toEqual([false, true])
  await process.stops()
})

test('a device with two clients is disconnected when the second one goes too', async () => {
  const process = await started()
  const leaves = process.comes(oven, 'one')
  const leavesToo = process.comes(oven, 'two')
  await process.written()
  leaves()
  await process.written()
  await pass(2 * minute)
  await sweep()
  expect(await isConnected(oven)).toBe(true)
  leavesToo()
  await process.written()
  await pass(2 * minute)
  await sweep()
  expect(await isConnected(oven)).toBe(false)
  await process.stops()
})

test('a device that came and went before that was written down has both in its history', async () => {
  const process = await started()
  process.comes(oven)()
  await process.written()
  await pass(2 * minute)
  await sweep()
  expect(await historyOf(oven)).toEqual([
    [0, true],
    [1 / minute, false],
  ])
  await process.stops()
})

test('a line of a device that was deleted is ended and not written down', async () => {
  const process = await started()
  const unknown = newDeviceId()
  process.comes(unknown)
  await process.written()
  expect(process.ended).toEqual([unknown])
  expect(await linesOf(unknown)).toEqual([])
  await process.stops()
})

test('connections that could not be written down are written later', async () => {
  const process: Process = await started()
  await sql`alter table platform.line rename to away`.execute(db)
  process.comes(oven)
  await process.written()
  await sql`alter table platform.away rename to line`.execute(db)
  await expect.poll(() => isConnected(oven)).toBe(true)
  await process.stops()
})

test('a device that comes again while nothing can be written down is connected in the end', async () => {
  const server = await started()
  await sql`alter table platform.line rename to line_away`.execute(db)
  const goes = server.comes(oven)
  // The first one is being written down, in vain, when the second one comes.
  const again = server.comes(oven)
  goes()
  await server.written()
  await sql`alter table platform.line_away rename to line`.execute(db)
  await expect.poll(async () => (await linesOf(oven)).map(({ lost_at }) => lost_at)).toEqual([null])
  await server.compare()
  expect(server.ended).toEqual([])
  again()
  await expect.poll(async () => (await linesOf(oven)).every(({ lost_at }) => lost_at)).toBe(true)
})

test('connections are written down also after a second attempt that another one came before', async () => {
  const server = await started()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await sql`alter table platform.line rename to line_away`.execute(db)
  server.comes(oven)
  await server.written()
  await sql`alter table platform.line_away rename to line`.execute(db)
  // The next one that comes takes the first one along, so that nothing is left when its time is there.
  server.comes(oven, 'second')
  await server.written()
  expect(await linesOf(oven)).toHaveLength(2)
  vi.runAllTimers()
  server.comes(press)
  await server.written()
  expect(await linesOf(press)).toHaveLength(1)
})

test('a sync shows what the lines say, without the grace time', async () => {
  const process = await started()
  const leaves = process.comes(oven)
  await process.written()
  await db.updateTable('device_state').set({ connected: false }).execute()
  expect(await agreeWithLines(db, oven, now())).toEqual({ ip: '10.0.0.1' })
  expect(await stateOf(oven)).toEqual({ connected: true, last_ip: '10.0.0.1' })
  leaves()
  await process.written()
  expect(await agreeWithLines(db, oven, now())).toBeUndefined()
  expect(await isConnected(oven)).toBe(false)
  await process.stops()
})
