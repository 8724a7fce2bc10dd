import { deserialize, serialize } from 'bson'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  connectDevice,
  type Credentials,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'

const org = 'exor'
let platform: TestPlatform
let id: string
let credentials: Credentials
let client: MqttClient
let received: { v: Record<string, unknown>; t: Date }[] = []

beforeAll(async () => {
  platform = await testPlatform()
})
afterAll(() => platform.close())
beforeEach(async () => {
  id = newDeviceId()
  platform.alarms.reported.length = 0
  const facts = { label: id, orgResourceId: org, realm: 'exor', groups: [], configuration: null }
  platform.register.devices.set(id, facts)
  credentials = await pair(platform, org, id)
  client = await connect()
  return async () => client.endAsync(true)
})

async function connect() {
  const made = await connectDevice({ ...credentials, port: platform.site.mqttPort })
  received = []
  made.on('message', (topic, payload) => {
    if (topic.endsWith('sub.DeviceAlarm/a'))
      received.push(deserialize(payload) as (typeof received)[0]) // as it is sent
  })
  await made.subscribeAsync(`${credentials.base}/com.corvina.control.sub.DeviceAlarm/a`)
  return made
}

const at = Date.UTC(2026, 10, 26, 3, 0, 0)
const alarm = (more: object = {}) => ({
  name: 'door',
  desc: 'Door is open',
  tag: 'Door',
  sev: 3,
  state: 11,
  evTs: new Date(at),
  ts: new Date(at),
  v_d: 1.5,
  ...more,
})
const topicOfAlarms = () => `${credentials.base}/com.corvina.control.pub.DeviceAlarm/a`
const send = (v: object, format: 'bson' | 'json' = 'bson') =>
  client.publishAsync(
    topicOfAlarms(),
    format === 'bson'
      ? Buffer.from(serialize({ v, t: new Date(at) }))
      : JSON.stringify({ t: at, v }),
    { qos: 2 },
  )
const told = async (count: number) => {
  await until(() => platform.alarms.reported.length >= count, 'the reports are told')
  return platform.alarms.reported
}

test.each(['bson', 'json'] as const)(
  'an alarm message in %s is told with its texts, state, times and value [T-07 in part]',
  async (format) => {
    await send(alarm(), format)
    const [report] = await told(1)
    expect(report).toMatchObject({
      deviceId: id,
      name: 'door',
      description: 'Door is open',
      tag: 'Door',
      severity: 3,
      state: 11,
      startedAt: at,
      changedAt: at,
      value: { type: 'double', value: 1.5 },
    })
    expect(report?.certificate).toMatch(/^[0-9A-F]+$/)
  },
)

test.each([
  ['an integer', { v_i: 7 }, { type: 'integer', value: 7 }],
  ['true', { v_b: true }, { type: 'boolean', value: true }],
  ['a text', { v_s: 'open' }, { type: 'string', value: 'open' }],
  ['nothing', {}, null],
])('the value of an alarm is %s', async (_, value, expected) => {
  await send({ ...alarm({ v_d: undefined }), ...value })
  expect((await told(1))[0]?.value).toEqual(expected)
})

test.each([
  ['without evTs', { evTs: undefined }],
  ['with evTs in 1970', { evTs: new Date(1_000) }],
  ['with evTs in 2100', { evTs: new Date(Date.UTC(2100, 0, 1)) }],
  ['without a name', { name: '' }],
  ['with a name of 201 characters', { name: 'a'.repeat(201) }],
  ['with a state that is a text', { state: 'on' }],
  ['with a severity that is a text', { sev: 'high' }],
])('an alarm message %s is refused, and the session goes on', async (_, wrong) => {
  await send(alarm(wrong))
  await send(alarm({ name: 'after' }))
  expect((await told(1)).map(({ name }) => name)).toEqual(['after'])
})

test('what can be read is kept: any severity of 32 bits, unknown bits and long texts without their rest', async () => {
  await send(alarm({ sev: -5 }))
  await send(alarm({ name: 'high', sev: 2 ** 31 }))
  await send(alarm({ name: 'bits', state: 1024 + 3 }))
  await send(alarm({ name: 'long', desc: 'x'.repeat(1_000_000) }))
  await send(alarm({ name: '<b>\u0007', desc: 'a\0b' }))
  const reports = await told(5)
  expect(reports.map(({ severity }) => severity)).toEqual([-5, 2 ** 31 - 1, 3, 3, 3])
  expect(reports[2]?.state).toBe(3)
  expect(reports[3]?.description).toHaveLength(2_000)
  expect(reports[4]).toMatchObject({ name: '<b>\u0007', description: 'ab' })
})

test('alarms of one device are told in the order in which it sent them', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `alarm ${index}`)
  await Promise.all(names.map((name) => send(alarm({ name }))))
  expect((await told(300)).map(({ name }) => name)).toEqual(names)
})

const command = (more: object = {}) => ({
  id: crypto.randomUUID(),
  deviceId: id,
  name: 'door',
  command: 'ack' as const,
  startedAt: at,
  user: 'oskar',
  comment: '',
  certificate: '',
  ...more,
})
const askForConfiguration = () =>
  client.publishAsync(`${credentials.base}/control/emptyCache`, '1', { qos: 2 })
/** Key of the present connection, in which the device reports an alarm. */
const keyOfConnection = async () => {
  await askForConfiguration()
  await send(alarm({ name: `alarm ${crypto.randomUUID()}` }))
  const reports = await told(platform.alarms.reported.length + 1)
  return reports.at(-1)?.certificate ?? ''
}
const give = (more: object) => platform.alarms.command(platform.database.db, command(more))

test('a command goes to the device that is connected, with evTs as a number and texts that are texts [T-07 in part]', async () => {
  await give({ certificate: await keyOfConnection() })
  await until(() => received.length > 0, 'the command is there')
  expect(received[0]).toMatchObject({
    v: { name: 'door', command: 'ack', evTs: at, user: 'oskar', comment: '' },
    t: expect.any(Date),
  })
})

test('a report names its connection once the device has asked for its configuration, and its certificate alone before', async () => {
  await send(alarm())
  const [early] = await told(1)
  const first = await keyOfConnection()
  const again = await keyOfConnection()
  await client.endAsync(true)
  client = await connect()
  const second = await keyOfConnection()
  expect(early?.certificate).toMatch(/^[0-9A-F]+$/)
  expect(first).toMatch(new RegExp(`^${early?.certificate}\\.[0-9a-f-]{36}$`))
  expect(again).toBe(first)
  expect(second).toMatch(new RegExp(`^${early?.certificate}\\.`))
  expect(second).not.toBe(first)
})

test('commands are asked for when the device asks for its configuration, for that connection, and again while some wait', async () => {
  const before = await keyOfConnection()
  await client.endAsync(true)
  await give({ certificate: before, name: 'of the connection before' })
  client = await connect()
  platform.alarms.taken.length = 0
  platform.alarms.answers.askAgainMs = 300
  const now = await keyOfConnection()
  await until(() => platform.alarms.taken.length > 1, 'it was asked again')
  platform.alarms.answers.askAgainMs = undefined
  const [first, second] = platform.alarms.taken
  expect(platform.alarms.taken.map(({ certificate }) => certificate)).toEqual(
    platform.alarms.taken.map(() => now),
  )
  expect((second?.connectedMs ?? 0) - (first?.connectedMs ?? 0)).toBeGreaterThanOrEqual(290)
  await give({ certificate: now })
  await until(() => received.length > 0, 'the command is there')
  expect(received.map(({ v }) => v['name'])).toEqual(['door'])
})

test('a command that alarms hands out while the device connects anew is not sent to the new connection', async () => {
  const certificate = await keyOfConnection()
  const takes = Promise.withResolvers<void>()
  platform.alarms.answers.takes = takes
  const asked = platform.alarms.taken.length
  await give({ certificate })
  await until(() => platform.alarms.taken.length > asked, 'commands are asked for')
  await client.endAsync(true)
  client = await connect()
  platform.alarms.answers.takes = undefined
  takes.resolve()
  await give({ certificate: await keyOfConnection(), name: 'of the new connection' })
  await until(() => received.length > 0, 'the command is there')
  expect(received.map(({ v }) => v['name'])).toEqual(['of the new connection'])
})

test('while alarms does not answer a device goes on, and its commands come later', async () => {
  const certificate = await keyOfConnection()
  platform.alarms.answers.isAway = true
  await give({ certificate })
  // Completed, and the session goes on.
  await askForConfiguration()
  await send(alarm({ name: 'meanwhile' }))
  await told(2)
  expect(received).toEqual([])
  platform.alarms.answers.isAway = false
  await until(() => received.length > 0, 'the command is there')
  expect(received[0]?.v).toMatchObject({ name: 'door', command: 'ack' })
})
