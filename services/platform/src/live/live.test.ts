import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createConsole, addFrame } from '../devices/device-console.ts'
import { createOutbox } from './live-outbox.ts'
import { liveLimits } from './live-messages.ts'
import { openLive } from './live-testing.ts'
import {
  allOnDevices,
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from '../platform-testing.ts'

const deviceId = newDeviceId()
const second = newDeviceId()
const foreign = newDeviceId()
const org = 'exor'
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 100 })
  const facts = {
    realm: 'exor',
    groups: [3],
    configuration: configurationText({ level: { type: 'double' }, flow: { type: 'double' } }),
  }
  platform.register.devices.set(deviceId, { label: 'Tank', orgResourceId: org, ...facts })
  platform.register.devices.set(second, { label: 'Second', orgResourceId: org, ...facts })
  platform.register.devices.set(foreign, { label: 'Foreign', orgResourceId: 'acme', ...facts })
})
afterAll(() => platform.close())

const open = (origin?: string) => openLive(platform, origin)

async function signedIn(sub: string) {
  platform.member(sub, org)
  const socket = await open(platform.site.origin)
  socket.send({ op: 'hello', token: platform.tokenOf(sub, org), organization: org })
  await socket.next('ready')
  return socket
}

const publish = async (name: string, v: number, id = deviceId) => {
  const credentials = await pair(platform, org, id)
  const client = await connectDevice(credentials)
  await client.publishAsync(topicOf(credentials.base, name), JSON.stringify({ v, t: Date.now() }), {
    qos: 1,
  })
  return client
}

test('a subscriber gets the last values at once and then what comes [C-22 in part]', async () => {
  const client = await publish('level', 1)
  const socket = await signedIn('ann')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: deviceId, path: '**' })
  expect(await socket.next('sub')).toEqual({ op: 'sub', id: 1, ok: true })
  expect((await socket.next('values')).v).toEqual([[1, 'Probe:1/level', expect.any(Number), 1, 0]])
  client.publish(topicOf(`exor/${deviceId}`, 'flow'), JSON.stringify({ v: 2, t: Date.now() }))
  expect((await socket.next('values')).v).toEqual([[1, 'Probe:1/flow', expect.any(Number), 2, 0]])
  // Late values are history: only the newest is what is now.
  const flow = (v: number, t: number) =>
    client.publishAsync(topicOf(`exor/${deviceId}`, 'flow'), JSON.stringify({ v, t }), { qos: 1 })
  await flow(8, Date.now() - 60_000)
  await flow(9, Date.now())
  expect((await socket.next('values')).v).toEqual([[1, 'Probe:1/flow', expect.any(Number), 9, 0]])
  socket.send({ op: 'unsub', id: 1 })
  socket.send({ op: 'ping' })
  await socket.next('pong')
  await client.publishAsync(
    topicOf(`exor/${deviceId}`, 'flow'),
    JSON.stringify({ v: 3, t: Date.now() }),
    { qos: 1 },
  )
  socket.send({ op: 'ping' })
  await socket.next('pong')
  expect(socket.frames).toEqual([])
  socket.ws.close()
  await client.endAsync()
})

test('status and console of a device come as they happen', async () => {
  const socket = await signedIn('ann')
  socket.send({ op: 'sub', id: 1, kind: 'status', device: second })
  socket.send({ op: 'sub', id: 2, kind: 'console', device: second })
  await socket.next('sub')
  await socket.next('sub')
  socket.send({ op: 'sub', id: 3, kind: 'status', device: '*' })
  await socket.next('sub')
  socket.send({ op: 'unsub', id: 3 })
  // Messages of a socket are handled in order: when this one is refused, the one before it is done.
  socket.send({ op: 'sub', id: 4, kind: 'status', device: foreign })
  expect(await socket.next('sub')).toMatchObject({ id: 4, ok: false })
  const client = await publish('level', 4, second)
  expect(await socket.next('status')).toMatchObject({ id: 1, device: second, connected: true })
  expect(await socket.next('frame')).toMatchObject({
    id: 2,
    ok: true,
    path: 'Probe:1/level',
    value: 4,
    direction: 'received',
  })
  await client.endAsync()
  expect(await socket.next('status')).toMatchObject({ id: 1, device: second, connected: false })
  socket.ws.close()
})

test("another organization's device is refused as one that does not exist", async () => {
  const socket = await signedIn('ann')
  for (const device of [foreign, newDeviceId()]) {
    socket.send({ op: 'sub', id: 1, kind: 'values', device })
    expect(await socket.next('sub')).toEqual({
      op: 'sub',
      id: 1,
      ok: false,
      code: 'platform.not_found',
    })
  }
  socket.ws.close()
})

test('a right that is lost ends the subscription, and the last right the socket', async () => {
  const socket = await signedIn('eve')
  socket.send({ op: 'sub', id: 1, kind: 'console', device: deviceId })
  socket.send({ op: 'sub', id: 2, kind: 'values', device: deviceId })
  await socket.next('sub')
  await socket.next('sub')
  const { pool } = platform.database
  const tell = () =>
    pool.query(`with told as (insert into bus.event (topic, payload) values ('core.permissions_changed', '{"resourceId":"exor"}') returning id)
      select pg_notify('longreach_bus', 'core.permissions_changed') from told`)
  platform.rights['eve'] = {
    exor: { capability: { grants: { devices: 1 }, deviceGroups: [] }, below: false },
  }
  await tell()
  expect(await socket.next('end')).toEqual({ op: 'end', id: 1, code: 'auth.missing_permission' })
  platform.rights['eve'] = {}
  const closed = once(socket.ws, 'close')
  await tell()
  expect((await closed)[0]).toBe(4403)
})

test('a device that is deleted ends its subscriptions', async () => {
  const id = newDeviceId()
  platform.register.devices.set(id, {
    label: 'Gone',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration: null,
  })
  const socket = await signedIn('ann')
  socket.send({ op: 'sub', id: 5, kind: 'values', device: id })
  await socket.next('sub')
  await platform.remove(id)
  expect(await socket.next('end')).toEqual({ op: 'end', id: 5, code: 'platform.not_found' })
  socket.ws.close()
})

test('who does not sign in, comes from another page or speaks nonsense is sent away', async () => {
  const unknown = await open()
  unknown.send({ op: 'hello', token: 'x', organization: org })
  expect((await once(unknown.ws, 'close'))[0]).toBe(4401)
  const early = await open()
  early.send({ op: 'sub', id: 1, kind: 'values', device: deviceId })
  expect((await once(early.ws, 'close'))[0]).toBe(4401)
  const stranger = await open()
  stranger.send({ op: 'hello', token: platform.tokenOf('nobody', org), organization: org })
  expect((await once(stranger.ws, 'close'))[0]).toBe(4403)
  const nonsense = await open()
  nonsense.send({ op: 'dance' })
  expect((await once(nonsense.ws, 'close'))[0]).toBe(4400)
  await expect(open('https://evil.example')).rejects.toThrow(/403/)
})

test('a subscription of an unknown kind is refused alone; the socket and the others stay [C-22 in part]', async () => {
  const client = await publish('level', 5)
  const socket = await signedIn('ann')
  socket.send({ op: 'sub', id: 1, kind: 'status', device: deviceId })
  expect(await socket.next('sub')).toEqual({ op: 'sub', id: 1, ok: true })
  socket.send({ op: 'sub', id: 2, kind: 'flights', device: deviceId })
  const refused = { op: 'sub', id: 2, ok: false, code: 'platform.unknown_kind' }
  expect(await socket.next('sub')).toEqual(refused)
  socket.send({ op: 'sub', id: 2, kind: 'values', device: deviceId, path: '*/level' })
  expect(await socket.next('sub')).toEqual({ op: 'sub', id: 2, ok: true })
  expect((await socket.next('values')).v).toEqual([[2, 'Probe:1/level', expect.any(Number), 5, 0]])
  socket.ws.close()
  await client.endAsync(true)
})

test('a fresh token is taken from the same person alone', async () => {
  const socket = await signedIn('ann')
  socket.send({ op: 'token', token: platform.tokenOf('ann', org) })
  socket.send({ op: 'ping' })
  await socket.next('pong')
  const closed = once(socket.ws, 'close')
  socket.send({ op: 'token', token: platform.tokenOf('bob', org) })
  expect((await closed)[0]).toBe(4401)
})

test('of one path only the latest value waits for a slow reader', async () => {
  const sent: string[] = []
  const slow = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: liveLimits.unread + 1,
    send: (text: string) => sent.push(text),
  }
  const outbox = createOutbox(slow as unknown as WebSocket, { ...liveLimits, frames: 10 })
  outbox.open(1, 20)
  for (let t = 0; t < 100_000; t++) outbox.value(1, `path${t % 5}`, { t, v: t, q: 0 })
  for (let index = 0; index < 100; index++) outbox.frame({ index })
  expect(outbox.waiting()).toEqual({ values: 5, frames: 10, dropped: 90 })
  expect(sent).toEqual([])
  slow.bufferedAmount = 0
  await until(() => sent.length > 0 || undefined, 'the values')
  const { v } = JSON.parse(sent[0] ?? '') as { v: unknown[][] }
  expect(v.map(([, , , value]) => value)).toEqual([99_995, 99_996, 99_997, 99_998, 99_999])
  outbox.end()
})

test('the console keeps the beginning of a large value, and a small one as it is', () => {
  const held = createConsole(0)
  const payload = Buffer.alloc(3_000_000)
  const frame = { direction: 'received', topic: 't', ok: true, payload } as const
  for (const value of ['x'.repeat(3_000_000), { a: 'y'.repeat(3_000_000) }, { a: 1 }, undefined]) {
    addFrame(held, 0, { ...frame, value })
  }
  expect(JSON.stringify(held.frames).length).toBeLessThan(4_000)
  expect(held.frames.map(({ value }) => value).slice(2)).toEqual([{ a: 1 }, undefined])
})

test('who never reads the answers is dropped', () => {
  let dropped = false
  const stalled = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: liveLimits.unreadAnswers,
    send: (text: string) => (stalled.bufferedAmount += text.length),
    terminate: () => (dropped = true),
  }
  const outbox = createOutbox(stalled as unknown as WebSocket, liveLimits)
  outbox.send({ op: 'pong' })
  expect(dropped).toBe(false)
  outbox.send({ op: 'pong' })
  expect(dropped).toBe(true)
})

test('rights reach below an organization only where they say so', async () => {
  const id = newDeviceId()
  platform.register.devices.set(id, {
    label: 'Below',
    realm: 'exor',
    orgResourceId: 'exor.south',
    groups: [],
    configuration: null,
  })
  const socket = await signedIn('ann')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: id })
  expect((await socket.next('sub'))['ok']).toBe(false)
  platform.rights['boss'] = { exor: { capability: allOnDevices, below: true } }
  const boss = await open()
  boss.send({ op: 'hello', token: platform.tokenOf('boss', org), organization: org })
  await boss.next('ready')
  boss.send({ op: 'sub', id: 1, kind: 'values', device: id })
  expect((await boss.next('sub'))['ok']).toBe(true)
  boss.ws.close()
  socket.ws.close()
})
