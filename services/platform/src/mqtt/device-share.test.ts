import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import type { Packet } from 'mqtt-packet'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ConnectionIntake } from './connection-intake.ts'
import { DeviceShare } from './device-share.ts'
import { createFrameReader } from './mqtt-frames.ts'
import { mqttLimits } from './mqtt-limits.ts'
import { type ClientFiles, rawClient, testEndpoint, type TestEndpoint } from './mqtt-testing.ts'
import { until } from '../platform-testing.ts'

const base = 'exor/oven'
const million = 1024 * 1024
let server: TestEndpoint
let files: ClientFiles

beforeAll(async () => {
  server = await testEndpoint({
    limits: {
      packet: 3 * million,
      queuedBytes: 3.5 * million,
      sessionsOfDevice: 4,
      filters: 6,
      wildcards: 2,
      unfinishedBytes: 2 * million,
      unfinishedMs: 1_000,
      unfinishedPerSecond: million,
      underWay: 10,
    },
  })
  files = await server.files(base)
})
afterAll(() => server.endpoint.close())
afterEach(() =>
  until(() => !server.endpoint.isConnected(base) || undefined, 'the end of the lines'),
)

const kept = (clientId: string) => ({
  clientId,
  clean: false,
  properties: { sessionExpiryInterval: 600 },
})
const wish = { qos: 1, nl: false, rap: false, rh: 0 } as const
const subscribing = (filters: readonly string[]): Packet => ({
  cmd: 'subscribe',
  messageId: 1,
  subscriptions: filters.map((topic) => ({ topic, ...wish })),
})

/** A client that has subscribed and is away; what it was granted. */
async function visit(clientId: string, filters: readonly string[], as = files) {
  const client = await rawClient(server.port, as, 5)
  const { sessionPresent } = await client.connect(kept(clientId))
  if (filters.length > 0) client.send(subscribing(filters))
  const granted = filters.length > 0 ? (await client.next('suback')).granted : []
  client.socket.destroy()
  await client.closed
  return { granted, sessionPresent }
}
/** End sessions that a test has kept. */
async function forget(...clientIds: string[]) {
  for (const clientId of clientIds) {
    const client = await rawClient(server.port, files, 5)
    await client.connect({ clientId, clean: true })
    client.socket.destroy()
    await client.closed
  }
}

test('a device keeps few sessions: the one that is away the longest goes', async () => {
  for (const name of ['s1', 's2', 's3', 's4', 's5', 's6']) await visit(name, [`${base}/a`])
  const found: (boolean | undefined)[] = []
  for (const name of ['s6', 's5', 's4', 's3']) found.push((await visit(name, [])).sessionPresent)
  expect(found).toEqual([true, true, true, true])
  expect((await visit('s1', [])).sessionPresent).toBe(false)
  await forget('s6', 's5', 's4', 's3', 's1')
})

test('filters are counted over all sessions of a device, and not over those of another', async () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => `${base}/${name}`)
  expect((await visit('one', four)).granted).toEqual([1, 1, 1, 1])
  expect((await visit('two', four)).granted).toEqual([1, 1, 0x97, 0x97])
  const pump = await server.files('exor/pump')
  const others = four.map((filter) => filter.replace('oven', 'pump'))
  expect((await visit('one', others, pump)).granted).toEqual([1, 1, 1, 1])
  await forget('two')
  expect((await visit('three', four.slice(2))).granted).toEqual([1, 1])
  await forget('one', 'three')
  const wide = [`${base}/+`, `${base}/x/+`, `${base}/y/#`, `${base}/${'l'.repeat(1_100)}`]
  expect((await visit('wide', wide)).granted).toEqual([1, 1, 0x97, 0x97])
  await forget('wide')
})

test('messages that wait are counted in bytes over all sessions of a device', async () => {
  await visit('left', [`${base}/q`])
  await visit('right', [`${base}/q`])
  await until(() => !server.endpoint.isConnected(base) || undefined, 'the end of the lines')
  const payload = (first: number) => Buffer.alloc(million, first)
  for (const first of [1, 2, 3, 4]) {
    server.endpoint.publish(base, { topic: `${base}/q`, payload: payload(first), qos: 1 })
  }
  const got: number[] = []
  for (const name of ['left', 'right']) {
    const client = await rawClient(server.port, files, 5)
    await client.connect(kept(name))
    client.send({ cmd: 'pingreq' })
    for (;;) {
      await until(() => client.packets.length > 0 || undefined, 'a packet')
      const packet = client.packets.shift()
      if (packet?.cmd === 'pingresp') break
      if (packet?.cmd !== 'publish') continue
      got.push(Number((packet.payload as Buffer)[0]))
      client.send({ cmd: 'puback', messageId: packet.messageId ?? 0 })
    }
    client.socket.destroy()
    await client.closed
  }
  expect(got).toEqual([4, 3, 4])
  await forget('left', 'right')
})

test('a message that comes byte by byte costs its bytes, once', () => {
  let size = 0
  let most = 0
  const frames: Buffer[] = []
  const reader = createFrameReader({
    onFrame: (bytes) => frames.push(bytes),
    largest: () => million,
    resize: (bytes) => {
      size += bytes
      most = Math.max(most, size)
      return true
    },
  })
  const packet = Buffer.concat([Buffer.from([0x30, 0x80, 0x80, 0x06]), Buffer.alloc(98_304, 7)])
  for (const [at] of packet.entries()) reader.read(packet.subarray(at, at + 1))
  expect(frames).toHaveLength(1)
  expect(frames[0]?.equals(packet)).toBe(true)
  expect(most).toBeLessThanOrEqual(packet.length)
  expect(size).toBe(0)
})

/** A PUBLISH that announces `bytes` and of which all but the last has come. */
const unfinished = (bytes: number) => {
  const length = bytes - 4
  const head = [0x30, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14]
  const topic = Buffer.from(`${base}/big`)
  const rest = Buffer.alloc(length - 3 - topic.length)
  return Buffer.concat([Buffer.from(head), Buffer.from([0, topic.length]), topic, rest])
}

test('unfinished packets are counted over all connections of a device', async () => {
  const first = await rawClient(server.port, files, 5)
  await first.connect()
  first.socket.write(unfinished(1.5 * million))
  const second = await rawClient(server.port, files, 5)
  await second.connect()
  second.socket.write(unfinished(1.5 * million))
  const ended = await Promise.race([first.next('disconnect'), second.next('disconnect')])
  expect(ended.reasonCode).toBe(0x97)
  // Another device is not touched by it, and the packet of the first may still be finished.
  const pump = await rawClient(server.port, await server.files('exor/pump'), 5)
  await pump.connect()
  const whole = { qos: 1, dup: false, retain: false, messageId: 1 } as const
  const payload = Buffer.alloc(1.5 * million)
  pump.send({ cmd: 'publish', topic: 'exor/pump/big', payload, ...whole })
  expect((await pump.next('puback')).messageId).toBe(1)
  for (const { socket } of [first, second, pump]) socket.destroy()
})

test('the rest of a packet must come in time', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect()
  client.socket.write(Buffer.from([0x30, 100, 0]))
  expect((await client.next('disconnect')).reasonCode).toBe(0x81)
  await client.closed
})

test('QoS 2 messages that are never released end the connection', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect()
  const publish = { cmd: 'publish', topic: `${base}/a`, payload: '1', qos: 2 } as const
  for (let messageId = 1; messageId <= 11; messageId++) {
    client.send({ ...publish, dup: false, retain: false, messageId })
  }
  expect((await client.next('disconnect')).reasonCode).toBe(0x93)
  await client.closed
})

test('a client that reads none of its answers is not read either, until it reads them', async () => {
  const [socket, far] = duplexPair()
  const limits = { ...mqttLimits, unread: 64 * 1024, unreadMs: 1_000 }
  let now = 0
  const share = new DeviceShare(limits)
  const intake = new ConnectionIntake(socket, { share, limits, clock: () => now })
  socket.resume()
  socket.write(Buffer.alloc(16 * 1024))
  intake.sent()
  expect(socket.isPaused()).toBe(false)
  for (let n = 0; n < 5; n++) socket.write(Buffer.alloc(16 * 1024))
  intake.sent()
  expect(socket.isPaused()).toBe(true)
  expect(share.isRead()).toBe(false)
  now = 1_001
  expect(intake.isStuck(now)).toBe(true)
  const drained = once(socket, 'drain')
  far.resume()
  await drained
  intake.drained()
  expect([socket.isPaused(), intake.isStuck(now), share.isRead()]).toEqual([false, false, true])
})
