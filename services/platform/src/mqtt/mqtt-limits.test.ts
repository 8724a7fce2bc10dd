import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClientFiles, rawClient, testEndpoint, type TestEndpoint } from './mqtt-testing.ts'
import { until } from '../platform-testing.ts'

const base = 'exor/oven'
let server: TestEndpoint
let files: ClientFiles
const held: PromiseWithResolvers<void>[] = []
let holding = false

beforeAll(async () => {
  server = await testEndpoint({
    limits: {
      packet: 10_000,
      filters: 2,
      queued: 5,
      underWay: 4,
      connectionsOfDevice: 2,
    },
    onPublish: () => {
      if (!holding) return Promise.resolve()
      const waiting = Promise.withResolvers<void>()
      held.push(waiting)
      return waiting.promise
    },
  })
  files = await server.files(base)
})
afterAll(() => server.endpoint.close())

test('a packet over the limit is refused by its header', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect()
  client.socket.write(Buffer.from([0x30, 0xff, 0xff, 0x7f]))
  expect((await client.next('disconnect')).reasonCode).toBe(0x95)
  await client.closed
})

test('subscriptions over the limit are refused', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect()
  const subscriptions = ['a', 'b', 'c'].map((name) => ({
    topic: `${base}/${name}`,
    qos: 0 as const,
    nl: false,
    rap: false,
    rh: 0,
  }))
  client.send({ cmd: 'subscribe', messageId: 1, subscriptions })
  expect((await client.next('suback')).granted).toEqual([0, 0, 0x97])
  client.socket.destroy()
  await client.closed
})

test('connections over the limit of one device are refused', async () => {
  const clients = [await rawClient(server.port, files), await rawClient(server.port, files)]
  for (const client of clients) await client.connect()
  const third = await rawClient(server.port, files)
  expect((await third.connect()).returnCode).toBe(3)
  for (const { socket } of clients) socket.destroy()
  await until(() => !server.endpoint.isConnected(base) || undefined, 'the end of the lines')
})

test('a client that is silent for one and a half keep-alives is gone', async () => {
  const client = await rawClient(server.port, files, 5)
  await client.connect({ keepalive: 1 })
  expect((await client.next('disconnect')).reasonCode).toBe(0x8d)
  await client.closed
})

test('a client is read no faster than its messages are stored', async () => {
  holding = true
  const client = await rawClient(server.port, files)
  await client.connect()
  for (let messageId = 1; messageId <= 200; messageId++) {
    client.send({
      cmd: 'publish',
      topic: `${base}/fast`,
      payload: 'x'.repeat(5_000),
      qos: 1,
      dup: false,
      retain: false,
      messageId,
    })
  }
  await until(() => held.length >= 4 || undefined, 'the first messages')
  const soon = held.length
  // What one read of the socket brought is taken; the rest stays in the socket.
  expect(soon).toBeLessThan(50)
  holding = false
  for (const { resolve } of held) resolve()
  for (let messageId = 1; messageId <= 200; messageId++) {
    expect((await client.next('puback')).messageId).toBe(messageId)
  }
  client.socket.destroy()
})

test('of the messages that wait for an absent client the oldest are dropped', async () => {
  const kept = { clientId: 'late', clean: false }
  const first = await rawClient(server.port, files)
  await first.connect(kept)
  first.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `${base}/q`, qos: 1 }] })
  await first.next('suback')
  first.socket.destroy()
  await first.closed
  await until(() => !server.endpoint.isConnected(base) || undefined, 'the end of the line')
  for (let index = 0; index < 10; index++) {
    server.endpoint.publish(base, {
      topic: `${base}/q`,
      payload: Buffer.from(String(index)),
      qos: 1,
    })
  }
  const second = await rawClient(server.port, files)
  await second.connect(kept)
  const got: string[] = []
  for (let index = 0; index < 5; index++) got.push(String((await second.next('publish')).payload))
  expect(got).toEqual(['5', '6', '7', '8', '9'])
  second.socket.destroy()
})
