import mqttPacket, { type IPublishPacket } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carriedProperties, writePublish } from './mqtt-publish.ts'
import { type ClientFiles, rawClient, testEndpoint, type TestEndpoint } from './mqtt-testing.ts'

const base = 'exor/oven'
let server: TestEndpoint
let files: ClientFiles
beforeAll(async () => {
  server = await testEndpoint()
  files = await server.files(base)
})
afterAll(() => server.endpoint.close())

const properties = {
  payloadFormatIndicator: true,
  contentType: 'application/json',
  responseTopic: `${base}/answer`,
  correlationData: Buffer.from([1, 2, 3]),
  userProperties: { a: ['2', '4'], c: '3' },
}
const publish = (more: Partial<IPublishPacket> = {}): IPublishPacket => ({
  cmd: 'publish',
  topic: `${base}/props`,
  payload: '{}',
  qos: 1,
  dup: false,
  retain: false,
  messageId: 3,
  ...more,
})

async function listener(topic: string, identifier?: number, kept?: string) {
  const client = await rawClient(server.port, files, 5)
  await client.connect(
    kept === undefined
      ? {}
      : { clientId: kept, clean: false, properties: { sessionExpiryInterval: 600 } },
  )
  const subscriptions = [{ topic, qos: 1 as const, nl: false, rap: false, rh: 0 }]
  client.send({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions,
    ...(identifier && { properties: { subscriptionIdentifier: identifier } }),
  })
  await client.next('suback')
  return client
}

test('properties of a message go on with it, its alias and time do not', async () => {
  const client = await listener(`${base}/props`, 300)
  client.send(
    publish({ properties: { ...properties, topicAlias: 2, messageExpiryInterval: 1_000 } }),
  )
  const { properties: got = {}, topic } = await client.next('publish')
  expect(topic).toBe(`${base}/props`)
  const { messageExpiryInterval, subscriptionIdentifier, userProperties, ...rest } = got
  const { userProperties: sent, ...others } = properties
  expect({ ...rest }).toEqual(others)
  expect({ ...userProperties }).toEqual(sent)
  expect(subscriptionIdentifier).toBe(300)
  expect(messageExpiryInterval).toBeGreaterThan(0)
  expect(messageExpiryInterval).toBeLessThanOrEqual(1_000)
  client.socket.destroy()
})

test('a client of MQTT 3.1.1 gets the message without them', async () => {
  const old = await rawClient(server.port, files, 4)
  await old.connect()
  old.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `${base}/old`, qos: 1 }] })
  await old.next('suback')
  const sender = await rawClient(server.port, files, 5)
  await sender.connect()
  sender.send(publish({ topic: `${base}/old`, properties }))
  const message = await old.next('publish')
  expect(String(message.payload)).toBe('{}')
  expect(message.properties).toBeUndefined()
  old.socket.destroy()
  sender.socket.destroy()
})

test('user properties keep their order, also mixed ones', () => {
  const user = (name: string, value: string) => [
    Buffer.from([0x26, 0, name.length]),
    Buffer.from(name),
    Buffer.from([0, value.length]),
    Buffer.from(value),
  ]
  const pairs = Buffer.concat([...user('b', '1'), ...user('a', '2'), ...user('b', '3')])
  const frame = Buffer.concat([
    Buffer.from([0x30, 3 + 1 + 3 + pairs.length, 0, 1, 0x74, pairs.length + 3, 0x23, 0, 9]),
    pairs,
  ])
  expect(carriedProperties(frame, 2)).toEqual(pairs)
  const message = { topic: 't', payload: Buffer.from('x'), qos: 0 as const, properties: pairs }
  const written = writePublish({ ...message, messageId: 0, identifiers: [] }, false, 5, 0)
  expect(carriedProperties(written, 2)).toEqual(pairs)
})

test.each([
  { size: 10, qos: 1 as const },
  { size: 200, qos: 2 as const },
  { size: 70_000, qos: 0 as const },
])('a PUBLISH is written as a general writer does, with $size bytes', ({ size, qos }) => {
  const packet = publish({ payload: Buffer.alloc(size, 7), qos })
  const { topic, messageId = 0 } = packet
  const message = { topic, payload: Buffer.alloc(size, 7), qos, messageId, identifiers: [] }
  for (const protocolVersion of [4, 5]) {
    const expected = mqttPacket.generate(packet, { protocolVersion })
    expect(writePublish(message, false, protocolVersion, 0).equals(expected)).toBe(true)
  }
})

test('an expired message is not handed on, one in time is', async () => {
  const first = await listener(`${base}/late`, undefined, 'late')
  first.socket.destroy()
  await first.closed
  const message = { topic: `${base}/late`, qos: 1 as const }
  const soon = { ...message, payload: Buffer.from('gone'), expiresAt: Date.now() - 1 }
  const later = { ...message, payload: Buffer.from('there'), expiresAt: Date.now() + 600_000 }
  server.endpoint.publish(base, soon)
  server.endpoint.publish(base, later)
  const second = await rawClient(server.port, files, 5)
  await second.connect({ clientId: 'late', clean: false })
  const got = await second.next('publish')
  expect(String(got.payload)).toBe('there')
  expect(got.properties?.messageExpiryInterval).toBeLessThanOrEqual(600)
  second.socket.destroy()
})

test('a will keeps its properties', async () => {
  const client = await listener(`${base}/will`)
  const dying = await rawClient(server.port, files, 5)
  const will = {
    topic: `${base}/will`,
    payload: Buffer.from('bye'),
    qos: 1 as const,
    retain: false,
    properties: { ...properties, messageExpiryInterval: 60 },
  }
  await dying.connect({ will })
  dying.socket.destroy()
  const { properties: got = {} } = await client.next('publish')
  expect(got.contentType).toBe('application/json')
  expect({ ...got.userProperties }).toEqual(properties.userProperties)
  expect(got.messageExpiryInterval).toBeLessThanOrEqual(60)
  client.socket.destroy()
})

test('a response topic with a wildcard is a fault', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect()
  client.send(publish({ properties: { responseTopic: `${base}/#` } }))
  expect((await client.next('disconnect')).reasonCode).toBe(0x82)
})
