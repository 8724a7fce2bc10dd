import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { climbLadders } from './ladder.ts'
import { lockDevices } from './occurrence-store.ts'

const minute = 60_000
const start = Date.UTC(2026, 0, 5)
let now = new Date(start)
let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
beforeAll(async () => {
  server = await testAlarms(() => now)
  ann = server.member('ann', 'exor')
})
afterAll(() => server.close())

const query = {}
const words = { value: 231, limit: 230, values: {} }
const ladder = [
  { afterMs: 10 * minute, while: 'unacknowledged', severity: 5 },
  { afterMs: 20 * minute, while: 'active', severity: 6 },
]
type Changes = Parameters<TestAlarms['ruleChanged']>[0]['changes']

/** Alarm of a rule with a ladder; times are minutes after the start. */
async function laddered(given: Record<string, unknown> = {}) {
  const deviceId = server.addDevice('exor')
  const ruleId = await server.addRule('exor', { ladder, ...given })
  const at = (minutes: number) => start + minutes * minute
  const raise = (t: number, severity = 3) =>
    ({ kind: 'raise', t: at(t), level: 0, severity, words }) as const
  const tell = (changes: Changes, heard = changes[0]!.t) =>
    server.ruleChanged({ deviceId, ruleId, ruleVersion: 1, instance: '', changes, heardAt: heard })
  const only = async () => {
    const body = { data: `deviceId == "${deviceId}"` }
    const { data } = await ann.searchAlarms({ query, body })
    expect(data).toHaveLength(1)
    return data[0]!
  }
  const steps = async () => {
    const { id } = await only()
    const { data } = await ann.alarmHistory({ params: { id }, query })
    return data.map(({ longreach, updatedAt, severity }) => [
      longreach.kind,
      (updatedAt - start) / minute,
      severity,
    ])
  }
  const counts = () =>
    server.tables
      .selectFrom('device_count')
      .select(['n', 'max'])
      .where('device_id', '=', deviceId)
      .executeTakeFirstOrThrow()
  return { deviceId, ruleId, at, raise, tell, only, steps, counts }
}

/** Looks for due steps at a time in minutes after the start. */
function climb(minutes: number) {
  now = new Date(start + minutes * minute)
  return climbLadders({ db: server.tables, now: () => now })
}

test('an alarm gets worse while nobody acknowledges it and while it is active, each step once [E-15]', async () => {
  const { raise, tell, steps, counts, only } = await laddered()
  await tell([raise(0)])
  await climb(9.99)
  expect(await steps()).toEqual([['raised', 0, 3]])
  // Two processes look at the same time.
  await Promise.all([climb(10), climb(10)])
  expect(await counts()).toEqual({ n: [0, 0, 0, 0, 0, 1, 0], max: 5 })
  await climb(11)
  // Overdue after a time without a server: it bears the time at which it was due.
  await climb(300)
  await climb(301)
  expect(await steps()).toEqual([
    ['raised', 0, 3],
    ['ladder', 10, 5],
    ['ladder', 20, 6],
  ])
  expect(await counts()).toEqual({ n: [0, 0, 0, 0, 0, 0, 1], max: 6 })
  const { id } = await only()
  const { rows } = await sql<{ severity: number; at: number }>`
    select (payload->>'severity')::int as severity, (payload->>'at')::float8 as at from bus.event
    where topic = 'alarms.changed' and payload->>'id' = ${id} and payload->>'kind' = 'ladder'
    order by at`.execute(server.tables)
  expect(rows).toEqual([
    { severity: 5, at: start + 10 * minute },
    { severity: 6, at: start + 20 * minute },
  ])
})

test('a step ends when it is acknowledged or returns, and one while active waits anew after a raise', async () => {
  const { raise, tell, at, only, steps } = await laddered({ reset: true })
  now = new Date(start)
  await tell([raise(0)])
  now = new Date(at(5))
  const { id } = await only()
  await ann.acknowledge({ query, body: { id } })
  await climb(15)
  expect((await only()).severity).toBe(3)
  await tell([{ kind: 'return', t: at(16) }])
  await climb(30)
  expect((await only()).severity).toBe(3)
  await tell([raise(40)])
  await climb(59)
  expect((await only()).severity).toBe(3)
  await climb(60)
  await climb(90)
  expect((await steps()).at(-1)).toEqual(['ladder', 60, 6])
  expect((await steps()).filter(([kind]) => kind === 'ladder')).toHaveLength(1)
})

test('a level below the step does not lower the alarm, a worse one raises it, and late values keep it', async () => {
  const { raise, tell, at, only, deviceId, ruleId, steps } = await laddered()
  await tell([raise(0)])
  await climb(10)
  await tell([{ ...raise(11, 1), kind: 'severity' }])
  expect((await only()).severity).toBe(5)
  await tell([{ ...raise(12, 6), kind: 'severity' }])
  expect((await only()).severity).toBe(6)
  await tell([{ ...raise(13, 2), kind: 'severity' }])
  const before = await steps()
  expect(before.at(-1)).toEqual(['severity', 13, 5])
  await server.ruleChanged({
    deviceId,
    ruleId,
    ruleVersion: 1,
    instance: '',
    changes: [
      raise(0),
      { ...raise(12, 6), kind: 'severity' },
      { ...raise(13, 2), kind: 'severity' },
    ],
    heardAt: at(14),
    again: { since: at(-1) },
  })
  expect(await steps()).toEqual(before)
})

test('a suppressed alarm does not climb until it is shown, and a closed one never', async () => {
  const hidden = await laddered()
  await hidden.tell([hidden.raise(0)])
  await hidden.tell([{ kind: 'hidden', t: hidden.at(1) }])
  const closed = await laddered()
  await closed.tell([closed.raise(0)])
  await ann.clear({ query, body: { id: (await closed.only()).id } })
  await climb(15)
  expect((await hidden.only()).severity).toBe(3)
  await hidden.tell([{ kind: 'shown', t: hidden.at(16) }])
  await climb(16)
  expect((await hidden.only()).severity).toBe(5)
  await climb(500)
  expect((await closed.only()).severity).toBe(3)
})

test('a process that is killed in the middle of a step leaves it to the next, which takes it once', async () => {
  const { raise, tell, deviceId, steps } = await laddered()
  await tell([raise(0)])
  let killed: Promise<unknown> | undefined
  await server.tables.transaction().execute(async (tx) => {
    await lockDevices(tx, [deviceId])
    killed = climb(10).then(
      () => 'done',
      (error: unknown) => error,
    )
    // It waits for the device within its transaction; then its connection ends.
    await expect
      .poll(
        async () => {
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
          return rows.length
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0)
  })
  expect(await killed).toBeInstanceOf(Error)
  expect(await steps()).toEqual([['raised', 0, 3]])
  await climb(12)
  await climb(13)
  expect(await steps()).toEqual([
    ['raised', 0, 3],
    ['ladder', 10, 5],
  ])
})
