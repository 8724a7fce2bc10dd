import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { deserialize } from 'bson'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { person } from '@longreach/kit/testing'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  connectDevice,
  type Credentials,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
  writeTopicOf,
} from '../platform-testing.ts'
import { giveUpOldBacks } from './write-back.ts'

// Values that the platform writes back; two processes, and the device is connected to the first one.

const org = 'exor'
const deviceId = newDeviceId()
const params = { org, deviceId }
const [jog, speed] = ['Probe:1/jog', 'Probe:1/speed']
const configuration = configurationText({
  jog: { type: 'double', mode: 'RW' },
  speed: { type: 'double', mode: 'RW' },
  level: { type: 'double' },
})
const origin = { board: 'oven line', node: 'n17' }
const timings = { graceMs: 50, recheckMs: 3_600_000 }
let first: TestPlatform
let second: TestPlatform
let credentials: Credentials
let line: Awaited<ReturnType<typeof connectTo>>
/** Values that the device was told to take, with their names. */
let received: unknown[][] = []

beforeAll(async () => {
  first = await testPlatform(timings)
  second = await testPlatform(timings, undefined, undefined, first)
  const facts = { realm: 'exor', orgResourceId: org, groups: [3], configuration }
  first.register.devices.set(deviceId, { label: 'Press', ...facts })
  credentials = await pair(first, org, deviceId)
  line = await connectTo(first)
})
afterAll(async () => {
  await line?.endAsync(true)
  await second?.close()
  await first?.close()
})
beforeEach(() => {
  received = []
})

/** The device, which takes and reports what is written to it. */
async function connectTo(platform: TestPlatform) {
  const client = await connectDevice({ ...credentials, port: platform.site.mqttPort })
  client.on('message', (topic, payload) => {
    const name = topic.slice(topic.lastIndexOf('/') + 1)
    const { v } = deserialize(payload) as { v: number }
    received.push([name, v])
    const report = JSON.stringify({ v, t: Date.now() })
    void client.publishAsync(topicOf(credentials.base, name), report, { qos: 1 })
  })
  for (const name of ['jog', 'speed'])
    await client.subscribeAsync(writeTopicOf(credentials.base, name), { qos: 1 })
  // The line is written down a moment after the connection.
  const ann = platform.member('ann', org)
  await until(async () => (await ann.connections({ params, query: {} })).connected, 'the line')
  return client
}
type Body = Parameters<ReturnType<TestPlatform['member']>['writeTags']>[0]['body']
const write = (body: Partial<Body>, platform = first, modelPath = jog) =>
  platform.member('ann', org).writeTags({
    params,
    body: { data: [{ modelPath, v: 1 }], ...body },
  })
const revertedTo = (v: number, name = 'jog') =>
  until(() => received.some(([at, value]) => at === name && value === v), 'the value written back')
const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from platform.write_back`.execute(first.database.db)
  return rows[0]?.count
}
const nothingWaits = () => until(async () => (await waiting()) === 0, 'the end')
const entries = async () => {
  const { data } = await first.member('ann', org).timeline({ params, query: { kind: 'write' } })
  return data
}

test('a value is written back after its time, asked at either process, and the time-line tells both', async () => {
  for (const platform of [first, second]) {
    received = []
    const { data } = await write({ origin, revert: { v: 0, afterMs: 50 } }, platform)
    expect(data).toMatchObject([{ modelPath: jog, status: 'confirmed', value: 1 }])
    await revertedTo(0)
    await nothingWaits()
    expect(received).toEqual([
      ['jog', 1],
      ['jog', 0],
    ])
    const [back, asked] = await entries()
    expect(asked).toMatchObject({ by: 'ann@exor', modelPath: jog, data: { to: 1, origin } })
    const told = { from: 1, to: 0, status: 'confirmed', reverted: true, origin }
    expect(back).toMatchObject({ by: 'ann@exor', modelPath: jog, data: told })
  }
  const { rows } = await first.database.pool.query(
    "select payload from bus.event where topic = 'audit.recorded' order by id desc",
  )
  const found = rows.find(({ payload }) => payload.call === 'platform.writeTags')
  expect(JSON.stringify(found?.payload.after)).toContain(JSON.stringify(origin.board))
})

/** Program that holds a button at the address in its arguments: it writes again and again until it is killed. */
const holding = `const [url, token] = process.argv.slice(1)
const body = JSON.stringify({ data: [{ modelPath: '${jog}', v: 1 }], timeoutMs: 0, revert: { v: 0, afterMs: 1500 } })
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
const press = async () => { await fetch(url, { method: 'POST', headers, body }) }
await press()
setInterval(press, 500)`

test('who holds a button and is killed leaves the device with its old value', async () => {
  const ann = first.member('ann', org)
  const before = (await ann.timeline({ params, query: { kind: 'write' } })).data.length
  const url = `${second.site.origin}${platformContract.base}/organizations/${org}/devices/${deviceId}/tags`
  const args = ['--input-type=module', '-e', holding, url, first.tokenOf('ann', org)]
  const page = spawn(process.execPath, args, { stdio: 'inherit' })
  // Repeated before its time is over, the value is held.
  await until(() => received.length >= 5, 'the repeated writes')
  page.kill('SIGKILL')
  await once(page, 'exit')
  await revertedTo(0)
  await nothingWaits()
  const held = received.slice(0, -1)
  expect(new Set(held.map(String))).toEqual(new Set(['jog,1']))
  expect(received.at(-1)).toEqual(['jog', 0])
  // One entry for the press and one for the end, however often it was repeated.
  expect((await entries()).length - before).toBe(2)
})

test('a write for good ends what would be written back, of its path alone', async () => {
  await write({ revert: { v: 0, afterMs: 60_000 } })
  await write({ revert: { v: 5, afterMs: 60_000 } }, first, speed)
  expect(await waiting()).toBe(2)
  await write({ data: [{ modelPath: jog, v: 7 }] }, second)
  expect(await waiting()).toBe(1)
  await write({ data: [{ modelPath: speed, v: 9 }] })
  expect(await waiting()).toBe(0)
  expect(received.map(String)).toEqual(['jog,1', 'speed,1', 'jog,7', 'speed,9'])
})

test('what cannot be written back is refused before anything is sent, and names its field', async () => {
  const refused = async (body: object, expected: object) =>
    expect(write(body)).rejects.toMatchObject(expected)
  await refused({ revert: { v: 'much', afterMs: 50 } }, { status: 422, code: 'platform.bad_value' })
  await refused({ revert: { v: 0, afterMs: 49 } }, { status: 400 })
  await refused({ revert: { v: 0, afterMs: 60_001 } }, { status: 400 })
  await refused({ origin: { board: 'x' } }, { status: 400 })
  const two = [jog, speed].map((modelPath) => ({ modelPath, v: 1 }))
  const details = { field: 'revert' }
  await refused({ data: two, revert: { v: 0, afterMs: 50 } }, { status: 422, details })
  const eve = first.member('eve', 'acme')
  const body = { data: [{ modelPath: jog, v: 1 }], revert: { v: 0, afterMs: 50 } }
  const foreign = eve.writeTags({ params: { org: 'acme', deviceId }, body })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  const actions = { grants: { devices: 1 }, deviceGroups: [] }
  first.rights['dan'] = { [org]: { capability: actions, below: false } }
  const dan = first.as(person('dan', 'exor', org), platformContract)
  await expect(dan.writeTags({ params, body })).rejects.toMatchObject({ status: 403 })
  expect([received, await waiting()]).toEqual([[], 0])
})

test('a device that goes away gets its old value when it is back, from whichever process it comes to', async () => {
  await write({ revert: { v: 0, afterMs: 1_000 } })
  await line.endAsync(true)
  const offline = { status: 409, code: 'platform.device_offline' }
  const ann = first.member('ann', org)
  await until(
    async () => !(await ann.connections({ params, query: {} })).connected,
    'the end of the line',
  )
  // Nothing is kept of a write that was refused; what was held before stays.
  await expect(write({ revert: { v: 3, afterMs: 50 } }, first, speed)).rejects.toMatchObject(
    offline,
  )
  expect(await waiting()).toBe(1)
  line = await connectTo(second)
  await revertedTo(0)
  await nothingWaits()
  expect(received.map(String)).toEqual(['jog,1', 'jog,0'])
})

test('a process that took a value and ended is followed by another one', async () => {
  await write({ revert: { v: 0, afterMs: 60_000 } })
  const { db } = first.database
  // As a process leaves it that ends after it has taken the value: it is due when its time is over.
  await sql`update platform.write_back set due = clock_timestamp() + interval '300 ms'`.execute(db)
  await line.endAsync(true)
  line = await connectTo(first)
  await revertedTo(0)
  await nothingWaits()
  expect(received.map(String)).toEqual(['jog,1', 'jog,0'])
})

test('a device that does not come back in an hour is given up, and its time-line says so', async () => {
  await write({ revert: { v: 0, afterMs: 60_000 } })
  await sql`update platform.write_back set at = at - interval '61 minutes'`.execute(
    first.database.db,
  )
  await giveUpOldBacks({
    db: first.database.db.withSchema('platform'),
    now: () => new Date(),
  })
  expect(await waiting()).toBe(0)
  expect((await entries())[0]?.data).toMatchObject({ to: 0, status: 'no_answer', reverted: true })
})
