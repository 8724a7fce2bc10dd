import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alarms } from '@longreach/alarms'
import { alarmsContract } from '@longreach/alarms/contract'
import { isPulseStill, pulseStations } from '@longreach/alarms/pulse-contract'
import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed } from '@longreach/core/testing'
import { memoryNetwork } from '@longreach/kit/fabric-testing'
import { testServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { notifications } from '@longreach/notifications'
import { notificationsContract } from '@longreach/notifications/contract'
import { platform } from '@longreach/platform'
import { platformContract } from '@longreach/platform/contract'
import { triggers } from '@longreach/triggers'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The pulse through all services that a value passes on its way to a message.

const services = [identityForTests, core, mappings, platform, alarms, triggers, notifications]
const patience = { timeout: 60_000, interval: 50 }
const minute = 60_000

let offset = 0
const now = () => new Date(Date.now() + offset)
const network = memoryNetwork()
type Process = Awaited<ReturnType<typeof newProcess>>
async function newProcess(beside?: { database: Process['server']['database'] }) {
  const server = await testServer(services, {
    admit: coreAuthorizer,
    now,
    wire: async () => network.wire(),
    ...(beside && { beside }),
  })
  server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  return { server, running: await server.start() }
}

let first: Process
/** Process whose calls are made. */
let asked: Process
let people: Awaited<ReturnType<typeof seed>>['people']
let watcher: { server: Server; calls: string[]; status: number; url: string }
beforeAll(async () => {
  watcher = { server: createServer(), calls: [], status: 200, url: '' }
  watcher.server.on('request', (request, response) => {
    watcher.calls.push(`${request.method} ${request.url}`)
    response.writeHead(watcher.status).end('heard')
  })
  await new Promise<void>((resolve) => watcher.server.listen(0, '127.0.0.1', resolve))
  watcher.url = `http://127.0.0.1:${(watcher.server.address() as AddressInfo).port}/ping/secret`
  first = await newProcess()
  asked = first
  ;({ people } = await seed(first.server))
})
afterAll(async () => {
  await first?.running.close()
  await first?.server.close()
  watcher?.server.close()
})

const query = { organization: 'nordwerk' }
const owner = () => asked.server.as(people.owner, notificationsContract)

/** Newest beat at each station, as the root organization sees it. */
async function stations() {
  const { stations: seen, ...pulse } = await owner().pulse({ query })
  const { value, rule } = await asked.server
    .as(people.owner, platformContract)
    .pulseValue({ params: { org: 'nordwerk' } })
  return { ...pulse, passed: { value, rule, ...seen } }
}

/** First station that no beat has passed for three minutes. */
async function stuckAt() {
  const { now: at, passed } = await stations()
  return pulseStations.find((name) => {
    const beat = passed[name]
    return !beat || isPulseStill(beat, at)
  })
}

/** A minute goes by, and the beat of the next one has passed a station. */
async function beat(last: (typeof pulseStations)[number] = 'watcher') {
  const before = (await stations()).passed[last]?.t ?? 0
  offset += minute
  await expect
    .poll(async () => (await stations()).passed[last]?.t ?? 0, patience)
    .toBeGreaterThan(before)
}

test('a beat goes from a value over a rule, an alarm and a message to a watcher [R-21 in part]', async () => {
  await owner().setPulseWatcher({ query, body: { url: watcher.url, method: 'GET' } })
  await beat()
  // A second beat may be on its way behind the first.
  const startsOf = ({ passed }: Awaited<ReturnType<typeof stations>>) =>
    pulseStations.map((name) => passed[name]?.t)
  await expect.poll(async () => new Set(startsOf(await stations())).size, patience).toBe(1)
  const seen = await stations()
  const { state, passed } = seen
  expect(state).toBe('works')
  const starts = startsOf(seen)
  // A rule may find a value in the millisecond in which it is durable.
  const times = pulseStations.slice(1).map((name) => passed[name]?.at ?? 0)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(passed.value?.at).toBeLessThanOrEqual(passed.alarm?.at ?? 0)
  expect(new Set(watcher.calls)).toEqual(new Set(['GET /ping/secret']))
  expect(await owner().pulseAlive({})).toMatchObject({ state: 'works', t: starts[0] })
})

test('nobody meets the pulse in lists, counts, messages or storage', async () => {
  const asks = (who: typeof people.owner) => ({
    alarms: first.server.as(who, alarmsContract),
    notifications: first.server.as(who, notificationsContract),
    mappings: first.server.as(who, mappingsContract),
  })
  const all = { organization: 'nordwerk.*' }
  const seen = asks(people.owner)
  const body = { data: 'status ~= ".*"', orderDir: 'desc' as const, page: 0, pageSize: 10 }
  expect((await seen.alarms.searchAlarms({ query: all, body })).data).toEqual([])
  expect((await seen.alarms.severityCount({ query: all })).every(({ count }) => count === 0)).toBe(
    true,
  )
  expect((await seen.alarms.rules({ query: all })).totalElements).toBe(0)
  const storage = await first.server
    .as(people.owner, platformContract)
    .storage({ params: { org: 'nordwerk' } })
  expect(storage).toMatchObject({ total: { values: 0 }, devices: [] })
  expect((await seen.notifications.notifications({ query: all })).totalElements).toBe(0)
  expect((await seen.notifications.deliveries({ query: all })).totalElements).toBe(0)
  expect(await seen.notifications.inbox({ query })).toMatchObject({ data: [], unread: 0 })
})

/** Does work while a table of a service is locked, as if the service hung. */
async function whileLocked(table: string, work: () => Promise<void>) {
  const connection = await first.server.database.pool.connect()
  try {
    await connection.query(`begin; lock table ${table} in access exclusive mode`)
    await work()
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}

test.each([
  { at: 'rule', table: 'platform.rule_device', before: 'value' },
  { at: 'alarm', table: 'alarms.occurrence', before: 'rule' },
  { at: 'message', table: 'notifications.delivery', before: 'alarm' },
] as const)(
  'the pulse stands still at $at while $table hangs, and goes on afterwards [R-21 in part]',
  async ({ at, table, before }) => {
    await whileLocked(table, async () => {
      offset += 3 * minute
      await beat(before)
      expect(await stuckAt()).toBe(at)
      expect((await stations()).state).toBe('still')
      const seen = await first.server.as(people.viewer, notificationsContract).pulse({
        query: { organization: 'nordwerk.service' },
      })
      expect(seen).toMatchObject({ state: 'still', stations: null, watcher: null })
      await expect(owner().pulseAlive({})).rejects.toMatchObject({
        status: 503,
        code: 'notifications.pulse_still',
      })
    })
    // What waited comes first, and is old.
    await beat('value')
    await expect.poll(stuckAt, patience).toBe(undefined)
    expect((await stations()).state).toBe('works')
  },
)

test('a watcher that refuses makes the pulse old where it was set, and nowhere else', async () => {
  watcher.status = 500
  offset += 3 * minute
  await beat('message')
  await expect.poll(stuckAt, patience).toBe('watcher')
  await expect
    .poll(async () => (await stations()).watcher, patience)
    .toMatchObject({ ok: false, answer: '500 heard' })
  expect((await stations()).state).toBe('still')
  const elsewhere = first.server.as(people.viewer, notificationsContract)
  const query = { organization: 'nordwerk.service' }
  expect(await elsewhere.pulse({ query })).toMatchObject({ state: 'works' })
  watcher.status = 200
  await beat()
  await expect.poll(stuckAt, patience).toBe(undefined)
})

test('of two processes one beats once a minute, and the other goes on when it ends', async () => {
  const second = await newProcess(first.server)
  try {
    await beat()
    await beat()
    asked = second
    await first.running.close()
    await first.server.app.close()
    await beat()
    await beat()
    const { rows } = await second.server.database.pool.query<{ most: number }>(
      `select max(n)::int as most from (select count(*) as n from alarms.occurrence
        where org = ':pulse' group by date_trunc('minute', start_t)) as minutes`,
    )
    expect(rows).toEqual([{ most: 1 }])
  } finally {
    await second.running.close()
    await second.server.close()
  }
})
