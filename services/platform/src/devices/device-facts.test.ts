import type { MqttClient } from 'mqtt'
import { deserialize, serialize } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileRole } from '@longreach/authorization/compile'
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
import { cleanupDevices } from './device-cleanup.ts'

const org = 'exor'
const deviceId = newDeviceId()
const params = { org, deviceId }
const first = configurationText({
  level: { type: 'double' },
  speed: { type: 'double', mode: 'RW' },
})
const second = configurationText({ level: { type: 'double' } })
let platform: TestPlatform
let device: Credentials
let client: MqttClient
let clock = Date.now()

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 10, patienceMs: 50 }, () => new Date(clock))
  const facts = { realm: 'exor', orgResourceId: org, groups: [3], configuration: first }
  platform.register.devices.set(deviceId, { label: 'Press', ...facts })
  device = await pair(platform, org, deviceId)
  client = await connectDevice(device)
})
afterAll(async () => {
  await client.endAsync(true)
  await platform.close()
})

const ann = () => platform.member('ann', org)
const log = (query: object = {}) => ann().deviceLog({ params, query })
const report = (text: string) => {
  const topic = `${device.base}/com.corvina.control.pub.Config/configuration`
  const payload = Buffer.from(serialize({ v: text, t: new Date(clock) }))
  return client.publishAsync(topic, payload, { qos: 2 })
}
const moments = async (kind: string) =>
  (await ann().timeline({ params, query: { kind } })).data.toReversed()

test('the log tells what was rejected; messages of the protocol only when asked for [E-08]', async () => {
  await client.publishAsync(`${device.base}/control/emptyCache`, '1', { qos: 2 })
  await client.publishAsync(topicOf(device.base, 'level'), '{"v":"high"}', { qos: 1 })
  await client.publishAsync(topicOf(device.base, 'level'), '{"v":1}', { qos: 1 })
  const usual = await log()
  expect(usual).toMatchObject([{ kind: 'rejected', level: 'warning', system: false, bytes: 12 }])
  expect(usual[0]?.reason).toMatch(/number/)
  expect(usual[0]?.refusal).toEqual([{ code: 'notFinite', values: { value: '"high"' } }])
  const all = await log({ showSystem: true })
  expect(all.map(({ kind }) => kind)).toContain('emptyCache')
  expect(await log({ fromTimestamp: clock + 1 })).toEqual([])
  expect(await log({ toTimestamp: clock })).toEqual([])
  expect(await log({ showSystem: true, limit: 1 })).toHaveLength(1)
  await expect(log({ fromTimestamp: 'soon' })).rejects.toMatchObject({ status: 400 })
})

test('a device that says nonsense without end fills no disk [E-08]', async () => {
  clock += 60_000
  const sent = Array.from({ length: 200 }, () =>
    client.publishAsync(topicOf(device.base, 'level'), '{"v":"no"}', { qos: 1 }),
  )
  await Promise.all(sent)
  const before = (await log({ fromTimestamp: clock })).length
  expect(before).toBeLessThanOrEqual(50)
  clock += 20_000
  const more = (await log({ fromTimestamp: clock }))[0]
  expect(more).toMatchObject({ kind: 'more', count: 150 })
  const db = platform.database.db.withSchema('platform')
  await cleanupDevices({ db })
  const month = 31 * 86_400_000
  clock += month
  expect(await log({ showSystem: true })).toEqual([])
  clock -= month
})

test('who may not see every path is told of no message without one [E-08] [A-03 in part]', async () => {
  await client.publishAsync(topicOf(device.base, 'level'), '{"v":"high"}', { qos: 1 })
  const none = { read: false, history: false, write: false }
  const rules = [{ resource: 'devices' as const, actions: ['read' as const], deviceGroup: 3 }]
  const capability = compileRole({ rules, paths: [{ ...none, path: 'Probe:1/level', read: true }] })
  platform.rights['bob'] = { [org]: { capability, below: false } }
  const bob = platform.as(person('bob', 'exor', org), platformContract)
  expect(await bob.deviceLog({ params, query: { showSystem: true } })).toEqual([])
})

test('a write stands on the time-line: who, which path, from what to what [C-21]', async () => {
  await client.subscribeAsync(writeTopicOf(device.base, 'speed'))
  await client.publishAsync(topicOf(device.base, 'speed'), `{"v":3,"t":${clock}}`, { qos: 1 })
  client.on('message', (topic, payload) => {
    if (!topic.endsWith('/speed')) return
    const { v } = deserialize(payload) as { v: number }
    void client.publishAsync(topicOf(device.base, 'speed'), JSON.stringify({ v, t: clock + 1 }))
  })
  await ann().writeTags({ params, body: { data: [{ modelPath: 'Probe:1/speed', v: 7 }] } })
  const [write] = await moments('write')
  expect(write).toMatchObject({
    by: 'ann@exor',
    modelPath: 'Probe:1/speed',
    data: { from: 3, to: 7, status: 'confirmed' },
  })
  const bob = platform.as(person('bob', 'exor', org), platformContract)
  expect((await bob.timeline({ params, query: { kind: 'write' } })).data).toEqual([])
})

test('configurations have a history: sent, applied, gone wrong, and which text [C-21]', async () => {
  await report(first)
  await report(first)
  const states = async () => (await moments('configuration')).map(({ data }) => data['state'])
  expect(await states()).toEqual(['sent', 'applied'])
  await platform.change(deviceId, { configuration: second })
  await until(async () => (await ann().configurations({ params })).length === 2 || undefined, 'two')
  await report(first)
  await until(async () => (await states()).includes('error') || undefined, 'the error')
  const [newest, oldest] = await ann().configurations({ params })
  expect(newest).toMatchObject({ version: 2, none: false, appliedAt: null })
  expect(newest?.error).toMatch(/not taken over/)
  expect(oldest).toMatchObject({ version: 1, appliedAt: expect.any(Number), error: null })
  const text = await ann().configurationVersion({ params: { ...params, version: '1' } })
  expect(text.configurationJson).toEqual(JSON.parse(first))
  const gone = ann().configurationVersion({ params: { ...params, version: '9' } })
  await expect(gone).rejects.toMatchObject({ status: 404 })
  const now = await ann().configuration({ params })
  expect(now).toMatchObject({
    configurationJson: JSON.parse(second) as object,
    configurationFromDevice: JSON.parse(first) as object,
    applied: false,
  })
  expect(await moments('connection')).toMatchObject([{ data: { connected: true } }])
})

test('the line has a history, uptime, and is said to flap [E-16] [C-21]', async () => {
  const { pool } = platform.database
  const quiet = newDeviceId()
  const facts = { realm: 'exor', orgResourceId: org, groups: [], configuration: null }
  platform.register.devices.set(quiet, { label: 'Quiet', ...facts })
  const hour = 3_600_000
  const events: [number, boolean][] = [
    [clock - 30 * hour, true],
    [clock - 6 * hour, false],
    [clock - 3 * hour, true],
    ...[50, 40, 30, 20].flatMap((minutes): [number, boolean][] => [
      [clock - minutes * 60_000, false],
      [clock - minutes * 60_000 + 30_000, true],
    ]),
  ]
  // What its line did in the organization that it came from counts there.
  const before: [number, boolean] = [clock - 10 * 60_000, false]
  for (const [[at, connected], where] of [
    ...events.map((event) => [event, org] as const),
    [before, 'elsewhere'] as const,
  ]) {
    await pool.query(
      `insert into platform.connection_event (device_id, at, connected, org) values ($1,$2,$3,$4)`,
      [quiet, new Date(at), connected, where],
    )
  }
  const ask = (query: object) => ann().connections({ params: { org, deviceId: quiet }, query })
  const { uptime, flapping, connections } = await ask({})
  expect(uptime.map(({ days, knownMs, losses }) => [days, knownMs / hour, losses])).toEqual([
    [1, 24, 5],
    [7, 30, 5],
    [30, 30, 5],
  ])
  expect(uptime[0]?.onlineMs).toBe(21 * hour - 120_000)
  expect(flapping).toEqual({ losses: 4, withinMs: hour })
  expect(connections).toHaveLength(6)
  expect(connections[0]).toMatchObject({ to: null })
  const some = await ask({ since: clock - 10 * hour, to: clock - 2 * hour, limit: 5 })
  expect(some.connections.map(({ from }) => (clock - from) / hour)).toEqual([3, 30])
  const rows = await ann().status({
    params: { org, deviceId: quiet },
    query: { since: clock - 7 * hour, to: clock - 2 * hour },
  })
  expect(rows[0]?.data.map(([, connected]) => connected)).toEqual([false, true])
})

test('a sync brings presence and configuration in line with the MQTT session [C-21]', async () => {
  const { pool } = platform.database
  await pool.query(`update platform.device_state set connected = false where device_id = $1`, [
    deviceId,
  ])
  const config = `${device.base}/com.corvina.control.sub.Config/applyConfiguration`
  await client.subscribeAsync(config)
  const sent = new Promise<string>((resolve) => {
    client.on('message', (topic) => topic === config && resolve(topic))
  })
  expect(await ann().syncStatus({ params })).toEqual({ connected: true })
  expect((await ann().connections({ params, query: {} })).connected).toBe(true)
  expect(await sent).toBe(config)
  await client.endAsync(true)
  await until(
    async () => !(await ann().syncStatusByGet({ params })).connected || undefined,
    'the end of the session',
  )
  expect((await ann().connections({ params, query: {} })).connected).toBe(false)
})

test('deviceByAlias tells what the device was and said, in numbers that are counted [C-21]', async () => {
  const found = await ann().deviceByAlias({ params: { org }, query: { alias: 'Press' } })
  expect(found).toMatchObject({ id: deviceId, connected: false, last_seen_ip: '127.0.0.1' })
  expect(found.total_received_msgs).toBeGreaterThan(200)
  expect(found.total_received_bytes).toBeGreaterThan(2_000)
  expect(found.first_credentials_request).toMatch(/^20/)
  expect(found.last_credentials_request_ip).toBeTruthy()
})

test.each(['deviceLog', 'configurations', 'connections', 'timeline'] as const)(
  'another organization is told nothing by %s [A-05]',
  async (call) => {
    const eve = platform.member('eve', 'acme')
    const asked = eve[call]({ params: { org: 'acme', deviceId }, query: {} })
    await expect(asked).rejects.toMatchObject({ status: 404 })
  },
)
