import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { serialize } from 'bson'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, makeDevice, signInByHttp } from './calls.ts'
import { connectDevice, pair, type Paired } from './device.ts'
import { type GroupServer, owner, startServerGroup } from './server-group.ts'

// A server that is killed (SIGKILL) at each point between an alarm and its message: a lock of the test holds it
// there. The message is sent once, or a second time with the same id and marked as a repeat, never not at all.

const { organization } = owner
const query = `organization=${organization}`
const base = 'notification/api/v1'
const patient = { timeout: 90_000, interval: 200 }

let group: Awaited<ReturnType<typeof startServerGroup>>
let server: GroupServer
let paired: Paired
let call: Calls
/** One session looks; what it sees of others stands still within a transaction, so another one holds locks. */
let db: pg.Client
let holder: pg.Client

type Taken = { id: string; name: string; isRepeat: boolean }
/** Messages that the receiver got, and how it answers. */
const taken: Taken[] = []
let answer = (response: ServerResponse) => void response.end('ok')
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as {
      isRepeat: boolean
      alarms: { name: string }[]
    }
    const id = String(request.headers['webhook-id'])
    taken.push({ id, name: body.alarms[0]?.name ?? '', isRepeat: body.isRepeat })
    answer(response)
  })
})

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const port = typeof address === 'object' && address ? address.port : 0
  group = await startServerGroup(0)
  server = await group.add({ OUTSIDE_HTTP: 'on', OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' })
  db = new pg.Client(group.connection)
  holder = new pg.Client(group.connection)
  await Promise.all([db.connect(), holder.connect()])
  call = await signInByHttp(server.own, owner)
  const { activationKey } = await makeDevice(call, organization, 'Press')
  paired = await pair(server.own, activationKey)
  const hook = await call<{ id: string }>('POST', `${base}/channels?${query}`, {
    name: 'Hook',
    type: 'webhook',
    config: { url: `http://127.0.0.1:${port}/` },
  })
  await call('POST', `${base}/notifications?${query}`, {
    name: 'All',
    recipientFilters: [{ type: 'channel', id: hook.id }],
  })
})
afterAll(async () => {
  await Promise.all([db?.end(), holder?.end()])
  await group?.stop()
  receiver.closeAllConnections()
  receiver.close()
})

/** The device reports an alarm, and the server has it for good. */
async function report(name: string) {
  const device = await connectDevice({ ...paired, broker: `mqtts://localhost:${server.mqttPort}` })
  const now = new Date()
  const v = { name, desc: name, tag: name, sev: 6, state: 11, v_d: 1, evTs: now, ts: now }
  await device.publish(
    '/com.corvina.control.pub.DeviceAlarm/a',
    Buffer.from(serialize({ v, t: now })),
  )
  await device.close()
}

const waiters = `from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

/** True when the server waits for a lock with a statement that begins so. */
async function waitsWith(statement: string) {
  const { rows } = await db.query<{ query: string }>(`select query ${waiters}`)
  return rows.some(({ query: text }) => text.replaceAll('"', '').trim().startsWith(statement))
}

/** Hold a table so that the server stops where it writes to it; the function returned lets go. */
async function hold(table: string) {
  await holder.query('begin')
  await holder.query(`lock table ${table} in exclusive mode`)
  return async () => {
    // What a process had sent before it was killed goes no further.
    await db.query(`select pg_terminate_backend(pid) ${waiters}`)
    await holder.query('commit')
  }
}

const count = async (from: string) => {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${from}`)
  return rows[0]?.count ?? 0
}
const ofName = (name: string) => taken.filter((one) => one.name === name)

/** All messages of the alarm, and its deliveries, once nothing is left to do. */
async function isSent(name: string, messages: Partial<Taken>[]) {
  await expect.poll(() => ofName(name), patient).toMatchObject(messages)
  await expect
    .poll(() => count(`notifications.delivery where state in ('WAITING', 'SENDING')`), patient)
    .toBe(0)
  expect(ofName(name)).toHaveLength(messages.length)
  expect(new Set(ofName(name).map(({ id }) => id)).size).toBe(1)
  expect(await count(`notifications.message where about like '%${name}'`)).toBe(1)
}

/** The five minutes pass in which an alarm would join the next message. */
const begin = () => db.query('delete from notifications.bundle')

const gaps: [where: string, name: string, table: string][] = [
  ['the alarm is stored, and what consumes it has not committed', 'consuming', 'decision'],
  ['the decision is stored, and not judged', 'judging', 'bundle'],
  ['the message is written, and its deliveries are not', 'telling', 'delivery'],
]

test.each(gaps)('killed while %s: the message comes once', async (_, name, table) => {
  await begin()
  const letGo = await hold(`notifications.${table}`)
  await report(name)
  await expect.poll(() => waitsWith(`insert into notifications.${table}`), patient).toBe(true)
  await server.kill()
  await letGo()
  expect(ofName(name)).toEqual([])
  await server.restart()
  await isSent(name, [{ isRepeat: false }])
})

test('killed between claim and answer: the message comes again with the same id, marked as a repeat', async () => {
  await begin()
  const held: ServerResponse[] = []
  answer = (response) => void held.push(response)
  await report('unanswered')
  await expect.poll(() => ofName('unanswered').length, patient).toBe(1)
  await server.kill()
  answer = (response) => void response.end('ok')
  expect(await count(`notifications.delivery where state = 'SENDING'`)).toBe(1)
  // The minute of the reservation passes.
  await db.query(`update notifications.delivery set lease_until = now() where state = 'SENDING'`)
  await server.restart()
  await isSent('unanswered', [{ isRepeat: false }, { isRepeat: true }])
})

test('killed between the answer and its result: the message comes again with the same id, marked as a repeat', async () => {
  await begin()
  let letGo: (() => Promise<void>) | undefined
  answer = (response) => {
    void hold('notifications.delivery').then((release) => {
      letGo = release
      response.end('ok')
    })
  }
  await report('unwritten')
  await expect.poll(() => letGo, patient).toBeDefined()
  const result = 'update notifications.delivery d\n    set state = e.state'
  await expect.poll(() => waitsWith(result), patient).toBe(true)
  await server.kill()
  answer = (response) => void response.end('ok')
  await letGo?.()
  expect(await count(`notifications.delivery where state = 'SENDING'`)).toBe(1)
  await db.query(`update notifications.delivery set lease_until = now() where state = 'SENDING'`)
  await server.restart()
  await isSent('unwritten', [{ isRepeat: false }, { isRepeat: true }])
})
