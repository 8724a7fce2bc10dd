import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { connectAsync, type IClientOptions } from 'mqtt'
import mqttPacket from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAuthority } from '../pairing/certificate-authority-x509.ts'
import {
  type ClientFiles,
  clientFiles,
  rawClient,
  testEndpoint,
  type TestEndpoint,
} from './mqtt-testing.ts'
import { until } from '../platform-testing.ts'

let server: TestEndpoint
let oven: ClientFiles
let folder: string
const base = 'exor/oven'
/** Storing waits for this, where a test sets it. */
let gate: Promise<void> | undefined

beforeAll(async () => {
  server = await testEndpoint({ onPublish: async () => gate })
  oven = await server.files(base)
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-mqtt-'))
  for (const [name, text] of Object.entries(oven)) await writeFile(path.join(folder, name), text)
})
afterAll(async () => {
  await server.endpoint.close()
  await rm(folder, { recursive: true, force: true })
})

const connect = (options: Partial<IClientOptions> = {}, files = oven) =>
  connectAsync(
    `mqtts://127.0.0.1:${server.port}`,
    { ...files, reconnectPeriod: 0, ...options },
    false,
  )

test.each([4, 5] as const)(
  'MQTT version %i carries every QoS both ways',
  async (protocolVersion) => {
    const client = await connect({ protocolVersion })
    const got: string[] = []
    client.on('message', (topic, payload, { qos }) =>
      got.push(`${topic} ${String(payload)} ${qos}`),
    )
    await client.subscribeAsync(`${base}/echo/#`, { qos: 2 })
    for (const qos of [0, 1, 2] as const) {
      await client.publishAsync(`${base}/echo/${qos}`, `v${protocolVersion}`, { qos })
    }
    await until(() => got.length === 3 || undefined, 'three messages')
    expect(got.toSorted()).toEqual(
      [0, 1, 2].map((qos) => `${base}/echo/${qos} v${protocolVersion} ${qos}`),
    )
    const stored = server.published.filter(
      ({ payload }) => String(payload) === `v${protocolVersion}`,
    )
    expect(stored.map(({ qos }) => qos).toSorted()).toEqual([0, 1, 2])
    await client.endAsync()
  },
)

const mosquitto = (command: string, args: string[]): [string, string[]] => [
  command,
  [
    '-h',
    'localhost',
    '-p',
    String(server.port),
    '--cafile',
    path.join(folder, 'ca'),
    '--cert',
    path.join(folder, 'cert'),
    '--key',
    path.join(folder, 'key'),
    ...args,
  ],
]

test.each(['mqttv311', 'mqttv5'])(
  'mosquitto_pub and mosquitto_sub work with %s',
  async (version) => {
    const topic = `${base}/mosquitto/${version}`
    const listener = spawn(
      ...mosquitto('mosquitto_sub', ['-V', version, '-q', '2', '-t', topic, '-C', '3']),
    )
    let text = ''
    listener.stdout.on('data', (chunk: Buffer) => (text += String(chunk)))
    const ended = once(listener, 'exit')
    for (const qos of [0, 1, 2]) {
      // The listener may not be there for the first one: told until it is heard.
      await until(async () => {
        const args = ['-V', version, '-q', String(qos), '-t', topic, '-m', `hello ${qos}`]
        await promisify(execFile)(...mosquitto('mosquitto_pub', args))
        return text !== '' || undefined
      }, 'a message for mosquitto_sub')
    }
    await ended
    expect(text).toContain('hello')
  },
)

test('a message is acknowledged only after it is durable', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const client = await rawClient(server.port, oven)
  await client.connect()
  const before = server.published.length
  client.send({
    cmd: 'publish',
    topic: `${base}/a`,
    payload: '1',
    qos: 1,
    dup: false,
    retain: false,
    messageId: 7,
  })
  client.send({
    cmd: 'publish',
    topic: `${base}/a`,
    payload: '2',
    qos: 2,
    dup: false,
    retain: false,
    messageId: 8,
  })
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  expect(server.published).toHaveLength(before + 2)
  expect(client.packets).toEqual([])
  resolve()
  gate = undefined
  expect((await client.next('puback')).messageId).toBe(7)
  expect((await client.next('pubrec')).messageId).toBe(8)
  client.socket.destroy()
})

test('a message that could not be stored is not acknowledged and ends the connection', async () => {
  gate = Promise.reject(new Error('disk full'))
  gate.catch(() => undefined) // handled by the endpoint
  const client = await rawClient(server.port, oven, 5)
  await client.connect()
  client.send({
    cmd: 'publish',
    topic: `${base}/a`,
    payload: '1',
    qos: 1,
    dup: false,
    retain: false,
    messageId: 7,
  })
  expect((await client.next('disconnect')).reasonCode).toBe(0x89)
  await client.closed
  gate = undefined
  expect(client.packets.filter(({ cmd }) => cmd === 'puback')).toEqual([])
})

test('a repeated QoS 2 message is stored once, also over a new connection', async () => {
  const clientId = 'twice'
  const publish = {
    cmd: 'publish',
    topic: `${base}/twice`,
    payload: 'x',
    qos: 2,
    retain: false,
    messageId: 9,
  } as const
  const first = await rawClient(server.port, oven)
  await first.connect({ clientId, clean: false })
  first.send({ ...publish, dup: false })
  await first.next('pubrec')
  first.socket.destroy()
  await first.closed
  const second = await rawClient(server.port, oven)
  expect((await second.connect({ clientId, clean: false })).sessionPresent).toBe(true)
  second.send({ ...publish, dup: true })
  await second.next('pubrec')
  second.send({ cmd: 'pubrel', messageId: 9 })
  await second.next('pubcomp')
  expect(server.published.filter(({ topic }) => topic === `${base}/twice`)).toHaveLength(1)
  second.send({ ...publish, dup: false })
  await second.next('pubrec')
  expect(server.published.filter(({ topic }) => topic === `${base}/twice`)).toHaveLength(2)
  second.socket.destroy()
})

test('a second connection with the same client id takes over the first', async () => {
  const first = await rawClient(server.port, oven, 5)
  await first.connect({ clientId: 'same' })
  const other = await rawClient(server.port, await server.files('exor/pump'), 5)
  await other.connect({ clientId: 'same' })
  const second = await rawClient(server.port, oven, 5)
  await second.connect({ clientId: 'same' })
  expect((await first.next('disconnect')).reasonCode).toBe(0x8e)
  await first.closed
  second.send({ cmd: 'pingreq' })
  await second.next('pingresp')
  other.send({ cmd: 'pingreq' })
  await other.next('pingresp')
  second.socket.destroy()
  other.socket.destroy()
})

test('a will is told when the line breaks, and not after a DISCONNECT', async () => {
  const will = (payload: string) => ({
    topic: `${base}/will`,
    payload: Buffer.from(payload),
    qos: 1 as const,
    retain: false,
  })
  const polite = await rawClient(server.port, oven)
  await polite.connect({ will: will('polite') })
  polite.send({ cmd: 'disconnect' })
  await polite.closed
  const broken = await rawClient(server.port, oven)
  await broken.connect({ will: will('broken') })
  broken.socket.destroy()
  const told = await until(
    () => server.published.find(({ topic }) => topic === `${base}/will`),
    'the will',
  )
  expect(String(told.payload)).toBe('broken')
  const wrong = await rawClient(server.port, oven)
  const answer = await wrong.connect({ will: { ...will('x'), topic: 'exor/pump/will' } })
  expect(answer.returnCode).toBe(5)
})

test('a kept session gets what came meanwhile, a clean one does not', async () => {
  const kept = { clientId: 'keeper', clean: false }
  const first = await rawClient(server.port, oven)
  expect((await first.connect(kept)).sessionPresent).toBe(false)
  first.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `${base}/kept`, qos: 1 }] })
  expect((await first.next('suback')).granted).toEqual([1])
  first.socket.destroy()
  await first.closed
  await until(
    () =>
      server.endpoint.publish(base, {
        topic: `${base}/kept`,
        payload: Buffer.from('meanwhile'),
        qos: 1,
      }) || undefined,
    'the session',
  )
  const second = await rawClient(server.port, oven)
  expect((await second.connect(kept)).sessionPresent).toBe(true)
  const message = await second.next('publish')
  expect(String(message.payload)).toBe('meanwhile')
  second.socket.destroy()
  await second.closed
  const third = await rawClient(server.port, oven)
  await third.connect(kept)
  const again = await third.next('publish')
  expect(again.dup).toBe(true)
  third.send({ cmd: 'puback', messageId: again.messageId ?? 0 })
  third.socket.end()
  await third.closed
  const fourth = await rawClient(server.port, oven)
  expect((await fourth.connect({ ...kept, clean: true })).sessionPresent).toBe(false)
  fourth.socket.destroy()
})

test('MQTT 5 clients are told the limits, and a session without expiry is not kept', async () => {
  const client = await rawClient(server.port, oven, 5)
  const { properties } = await client.connect({
    clientId: '',
    properties: { sessionExpiryInterval: 4_000_000_000 },
  })
  expect(properties).toMatchObject({
    retainAvailable: false,
    sharedSubscriptionAvailable: false,
    sessionExpiryInterval: 3_600,
    topicAliasMaximum: 64,
  })
  expect(properties?.assignedClientIdentifier).toMatch(/.{10}/)
  client.socket.destroy()
  const short = { clientId: 'short', clean: false }
  const one = await rawClient(server.port, oven, 5)
  await one.connect(short)
  one.socket.destroy()
  await one.closed
  const two = await rawClient(server.port, oven, 5)
  expect((await two.connect(short)).sessionPresent).toBe(false)
  two.socket.destroy()
})

test('a topic alias stands for its topic', async () => {
  const client = await rawClient(server.port, oven, 5)
  await client.connect()
  const message = { cmd: 'publish', payload: 'a', qos: 1, dup: false, retain: false } as const
  client.send({ ...message, topic: `${base}/alias`, messageId: 1, properties: { topicAlias: 3 } })
  client.send({ ...message, topic: '', messageId: 2, properties: { topicAlias: 3 } })
  await client.next('puback')
  await client.next('puback')
  expect(server.published.filter(({ topic }) => topic === `${base}/alias`)).toHaveLength(2)
  client.send({ ...message, topic: '', messageId: 3, properties: { topicAlias: 9 } })
  expect((await client.next('disconnect')).reasonCode).toBe(0x90)
})

test('a client gets no more at once than its receive maximum', async () => {
  const client = await rawClient(server.port, oven, 5)
  await client.connect({ properties: { receiveMaximum: 2 } })
  client.send({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: [{ topic: `${base}/many`, qos: 1, nl: false, rap: false, rh: 0 }],
  })
  await client.next('suback')
  for (const payload of ['1', '2', '3']) {
    server.endpoint.publish(base, { topic: `${base}/many`, payload: Buffer.from(payload), qos: 1 })
  }
  const first = await client.next('publish')
  await client.next('publish')
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  expect(client.packets).toEqual([])
  client.send({ cmd: 'puback', messageId: first.messageId ?? 0 })
  expect(String((await client.next('publish')).payload)).toBe('3')
  client.socket.destroy()
})

test('a device neither publishes nor subscribes outside of its own topics', async () => {
  const client = await rawClient(server.port, oven, 5)
  await client.connect()
  const wish = { qos: 0, nl: false, rap: false, rh: 0 } as const
  const filters = [
    'exor/pump/#',
    '#',
    '+/oven/#',
    'exor/oven2/#',
    `$share/x/${base}/#`,
    `${base}/#/x`,
    `${base}/ok`,
  ]
  client.send({
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: filters.map((topic) => ({ topic, ...wish })),
  })
  const codes = [0x87, 0x87, 0x87, 0x87, 0x9e, 0x8f, 0]
  expect((await client.next('suback')).granted).toEqual(codes)
  client.send({
    cmd: 'publish',
    topic: 'exor/pump/a',
    payload: 'x',
    qos: 1,
    dup: false,
    retain: false,
    messageId: 2,
  })
  expect((await client.next('puback')).reasonCode).toBe(0x87)
  expect(server.foreign.at(-1)?.topic).toBe('exor/pump/a')
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  client.socket.destroy()
})

test('a retained message is not kept', async () => {
  const client = await rawClient(server.port, oven)
  await client.connect()
  client.send({
    cmd: 'publish',
    topic: `${base}/retained`,
    payload: 'x',
    qos: 1,
    dup: false,
    retain: true,
    messageId: 2,
  })
  await client.next('puback')
  client.send({
    cmd: 'subscribe',
    messageId: 3,
    subscriptions: [{ topic: `${base}/retained`, qos: 1 }],
  })
  await client.next('suback')
  client.send({ cmd: 'pingreq' })
  await client.next('pingresp')
  expect(client.packets).toEqual([])
  client.socket.destroy()
})

test('no packet before CONNECT, no second CONNECT, no malformed packet', async () => {
  const early = await rawClient(server.port, oven)
  early.send({ cmd: 'pingreq' })
  await early.closed
  const twice = await rawClient(server.port, oven)
  await twice.connect()
  twice.send({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clientId: 'x', clean: true })
  await twice.closed
  const broken = await rawClient(server.port, oven)
  await broken.connect()
  broken.socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
  await broken.closed
  for (const { packets } of [early, twice, broken]) expect(packets).toEqual([])
})

test('forged, expired and missing certificates do not get in, unknown devices hear so', async () => {
  const forger = await makeAuthority('forger', new Date())
  const longAgo = new Date(Date.now() - 3 * 365 * 86_400_000)
  const { ca } = oven
  const cases: Partial<ClientFiles>[] = [
    { ...(await clientFiles(forger, base)), ca },
    await clientFiles(server.authority, base, longAgo),
    { ca },
  ]
  for (const files of cases) {
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', ...files })
    socket.on('error', () => undefined) // the alert, if it arrives before the end of the line
    const said: Buffer[] = []
    socket.on('data', (bytes: Buffer) => said.push(bytes))
    socket.write(
      mqttPacket.generate({
        cmd: 'connect',
        clientId: 'x',
        protocolId: 'MQTT',
        protocolVersion: 4,
      }),
    )
    await new Promise((resolve) => socket.once('close', resolve))
    expect(said).toEqual([])
  }
  const unknown = await rawClient(server.port, await server.files('exor/unknown'))
  expect((await unknown.connect()).returnCode).toBe(5)
  await unknown.closed
})

test('where another server waits, all clients are sent to it before the endpoint is closed', async () => {
  const leaving = await testEndpoint()
  const clients = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const client = await rawClient(leaving.port, await leaving.files(`exor/device-${n}`), 5)
      await client.connect()
      return client
    }),
  )
  await leaving.endpoint.close({ clientsGoOn: true })
  const reasons = await Promise.all(
    clients.map(async ({ next }) => (await next('disconnect')).reasonCode),
  )
  expect(new Set(reasons)).toEqual(new Set([0x9c]))
})
