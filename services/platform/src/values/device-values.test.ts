import { deserialize, serialize } from 'bson'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
} from '../platform-testing.ts'

const deviceId = newDeviceId()
const otherId = newDeviceId()
const org = 'exor'
const params = { org, deviceId }
let platform: TestPlatform
let device: Credentials
let client: MqttClient

const configuration = configurationText({
  temperature: { type: 'double' },
  count: { type: 'integer', mode: 'RW' },
  state: { type: 'string' },
  running: { type: 'boolean' },
  latest: { type: 'double', history: false },
  curve: { type: 'doublearray' },
  W: { type: 'struct', mode: 'RW', properties: { a: { type: 'integer' } } },
  S: { type: 'struct', properties: { a: { type: 'integer' }, b: { type: 'double' } } },
})

beforeAll(async () => {
  platform = await testPlatform()
  const words = { label: '', unit: '', description: '' }
  const limits = [{ path: 'Probe:1/W/a', ...words, min: 0, max: 10 }]
  const facts = { realm: 'exor', orgResourceId: org, groups: [], configuration, facts: limits }
  platform.register.devices.set(deviceId, { label: 'Probe 1', ...facts })
  platform.register.devices.set(otherId, { label: 'Probe 2', ...facts })
  device = await pair(platform, org, deviceId)
  client = await connectDevice(device)
})
afterAll(async () => {
  await client.endAsync(true)
  await platform.close()
})

const bson = (v: unknown, t = Date.now()) => Buffer.from(serialize({ v, t: new Date(t) }))
const send = (name: string, payload: string | Buffer, qos: 0 | 1 | 2 = 1) =>
  client.publishAsync(topicOf(device.base, name), payload, { qos })
const read = async (name: string, since: number) => {
  const query = { modelPath: `Probe:1/${name}`, since }
  const [series] = await platform.member('ann', org).tags({ params, query })
  return series?.data ?? []
}

test('a value that was acknowledged can be read [C-20]', async () => {
  const t = Date.now()
  await send('temperature', bson(21.5, t), 1)
  await send('temperature', JSON.stringify({ t: t + 1, v: 22 }), 2)
  const [series] = await platform.member('ann', org).tags({ params, query: { since: t } })
  expect(series).toEqual({
    deviceId,
    modelPath: 'Probe:1/temperature',
    types: ['datetime', 'double'],
    header: ['timestamp', 'value'],
    data: [
      [t, 21.5],
      [t + 1, 22],
    ],
  })
})

test.each([
  ['count', 7, 7],
  ['count', 7.9, 7],
  ['state', 'running', 'running'],
  ['running', 1, true],
  ['curve', [1, 2.5], [1, 2.5]],
])('a value for %s is stored in its type: %j as %j (trap 7)', async (name, sent, stored) => {
  const t = Date.now()
  await send(name, bson(sent, t))
  expect((await read(name, t)).at(-1)).toEqual([t, stored])
})

test('a struct is completed with the fields that did not change', async () => {
  const t = Date.now()
  await send('S', bson({ a: 1, b: 1.5 }, t))
  await send('S', bson({ a: 2 }, t + 1))
  await send('S', bson({ b: 3 }, t + 2))
  expect(await read('S', t)).toEqual([
    [t, { a: 1, b: 1.5 }],
    [t + 1, { a: 2, b: 1.5 }],
    [t + 2, { a: 2, b: 3 }],
  ])
  expect(await read('S/b', t + 2)).toEqual([[t + 2, 3]])
})

test('without history only the newest value is kept', async () => {
  const t = Date.now()
  await send('latest', bson(1, t))
  await send('latest', bson(2, t + 1))
  expect(await read('latest', t)).toEqual([[t + 1, 2]])
})

const year = 365.25 * 86_400_000
const bad: [string, string, () => string | Buffer, RegExp][] = [
  ['malformed BSON', 'temperature', () => bson(1).subarray(0, 9), /neither BSON|malformed/],
  [
    'damaged BSON',
    'temperature',
    () => Buffer.concat([bson(1).subarray(0, 4), Buffer.alloc(19, 0xff)]),
    /BSON/,
  ],
  ['malformed JSON', 'temperature', () => '{"v":1', /JSON/],
  ['a wrong type', 'count', () => bson('many'), /finite number/],
  ['an object for a number', 'temperature', () => bson({ a: 1 }), /finite number/],
  ['NaN', 'temperature', () => bson(NaN), /finite number/],
  ['an infinity', 'temperature', () => bson(-Infinity), /finite number/],
  ['an integer over 32 bits', 'count', () => bson(2 ** 40), /32 bits/],
  ['no value', 'temperature', () => bson(undefined), /no value/],
  ['a time long ago', 'temperature', () => bson(1, Date.now() - 11 * year), /too long ago/],
  ['a time in the future', 'temperature', () => bson(1, Date.now() + 2 * 86_400_000), /future/],
  ['a time that is none', 'temperature', () => JSON.stringify({ v: 1, t: 'noon' }), /time/],
  ['a text of a megabyte', 'state', () => bson('x'.repeat(1024 * 1024)), /65536|characters/],
  ['an unknown field of a struct', 'S', () => bson({ c: 1 }), /no field/],
  ['an unknown topic of its own', 'nothing', () => bson(1), /no path/],
]

test.each(bad)(
  '%s is refused with its reason, and the session goes on',
  async (_, name, payload, reason) => {
    const ann = platform.member('ann', org)
    await ann.console({ params })
    const t = Date.now()
    await send(name, payload())
    const frame = (await ann.console({ params })).at(-1)
    expect(frame).toMatchObject({
      ok: false,
      topic: topicOf(device.base, name),
      direction: 'received',
    })
    expect(frame?.reason).toMatch(reason)
    await send('temperature', bson(5, t + 5))
    expect((await read('temperature', t)).at(-1)).toEqual([t + 5, 5])
  },
)

test("another device's topic and an unknown interface are refused and stored nowhere", async () => {
  const ann = platform.member('ann', org)
  await ann.console({ params })
  await client.publishAsync(topicOf(`exor/${otherId}`, 'temperature'), bson(1), { qos: 1 })
  expect((await ann.console({ params })).at(-1)?.reason).toMatch(/not of this device/)
  expect(await ann.tags({ params: { org, deviceId: otherId }, query: {} })).toEqual([])
  await client.publishAsync(`${device.base}/control/other`, '1', { qos: 1 })
  expect((await ann.console({ params })).at(-1)?.reason).toMatch(/unknown topic/)
})

test('a certificate of one device does not make another', async () => {
  const other = await pair(platform, org, otherId)
  const guest = await connectDevice({ ...other, base: device.base })
  const began = Date.now()
  await guest.publishAsync(topicOf(device.base, 'temperature'), bson(99), { qos: 1 })
  const values = await read('temperature', began)
  expect(values.map(([, v]) => v)).not.toContain(99)
  client.publish(topicOf(device.base, 'temperature'), bson(6), { qos: 0 })
  await until(
    async () => (await read('temperature', began)).some(([, v]) => v === 6) || undefined,
    'QoS 0',
  )
  await guest.endAsync()
})

test('a field that the device does not take alone is refused so, and not as a device that is away', async () => {
  const write = (modelPath: string) =>
    platform.member('ann', org).writeTags({ params, body: { data: [{ modelPath, v: 1 }] } })
  await expect(write('Probe:1/W/a')).rejects.toMatchObject({
    status: 422,
    code: 'platform.not_writable',
    details: { field: 'Probe:1/W/a', message: expect.stringContaining('whole struct') as string },
  })
  await expect(write('Probe:1/count')).rejects.toMatchObject({ code: 'platform.device_offline' })
})

test('limits of the model hold for the fields of a struct', async () => {
  const write = (v: unknown) =>
    platform
      .member('ann', org)
      .writeTags({ params, body: { data: [{ modelPath: 'Probe:1/W', v }] } })
  await expect(write({ a: 11 })).rejects.toMatchObject({
    status: 422,
    code: 'platform.bad_value',
    details: { field: 'Probe:1/W/a', fault: 'above_maximum', limit: 10 },
  })
  // Within them it goes as far as the device, which does not listen for it.
  await expect(write({ a: 10 })).rejects.toMatchObject({ code: 'platform.device_offline' })
})

test('what the device is sent is always BSON (trap 6)', async () => {
  const topic = `${device.base}/com.corvina.control.sub.Config/applyConfiguration`
  await client.subscribeAsync(topic)
  const got = new Promise<Buffer>((resolve) =>
    client.once('message', (_, payload) => resolve(payload)),
  )
  await client.publishAsync(`${device.base}/control/emptyCache`, '1', { qos: 2 })
  expect(deserialize(await got)).toEqual({ v: configuration })
})
