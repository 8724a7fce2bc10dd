import { compileRole } from '@longreach/authorization/compile'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from '../platform-testing.ts'
import { liveLimits } from './live-messages.ts'
import { createOutbox } from './live-outbox.ts'
import { openLive } from './live-testing.ts'

// Subscriptions of a list of paths, at two processes: the device is connected to the first one.

const org = 'exor'
const deviceId = newDeviceId()
const leaf = { type: 'double' }
const [level, flow, heat] = ['Probe:1/level', 'Probe:1/flow', 'Probe:1/heat']
let first: TestPlatform
let second: TestPlatform
let client: MqttClient
let base = ''
let t = Date.now()

beforeAll(async () => {
  const timings = { graceMs: 50, recheckMs: 3_600_000 }
  first = await testPlatform(timings)
  second = await testPlatform(timings, undefined, undefined, first)
  const configuration = configurationText({ level: leaf, flow: leaf, heat: leaf })
  const facts = { realm: 'exor', orgResourceId: org, groups: [3], configuration }
  first.register.devices.set(deviceId, { label: 'Tank', ...facts })
  const device = await pair(first, org, deviceId)
  base = device.base
  client = await connectDevice({ ...device, port: first.site.mqttPort })
})
afterAll(async () => {
  await client?.endAsync(true)
  await second?.close()
  await first?.close()
})

const report = async (name: string, v: number) => {
  t += 1
  const payload = JSON.stringify({ v, t })
  await client.publishAsync(topicOf(base, name), payload, { qos: 1 })
}
const rightOn = (...paths: string[]) => {
  const rules = [{ resource: 'devices' as const, actions: ['read' as const], deviceGroup: 3 }]
  const rows = paths.map((path) => ({ path, read: true, history: false, write: false }))
  return { [org]: { capability: compileRole({ rules, paths: rows }), below: false } }
}
const tellRights = () =>
  first.database.pool
    .query(`with told as (insert into bus.event (topic, payload) values ('core.permissions_changed', '{"resourceId":"exor"}') returning id)
      select pg_notify('longreach_bus', 'core.permissions_changed') from told`)

async function enter(sub: string, platform = first) {
  const socket = await openLive(platform, platform.site.origin)
  socket.send({ op: 'hello', token: platform.tokenOf(sub, org), organization: org })
  await socket.next('ready')
  return socket
}
const listOf = (id: number, paths: string[], more: object = {}) => ({
  op: 'sub',
  id,
  kind: 'values',
  device: deviceId,
  paths,
  index: true,
  ...more,
})

test('one subscription takes a list of paths, and its rows hold indexes; paths come and go', async () => {
  first.member('ann', org)
  for (const platform of [first, second]) {
    await report('level', 1)
    const { send, next, ws, frames } = await enter('ann', platform)
    const missing = 'Probe:1/none'
    send(listOf(1, [level, missing]))
    const answer = { op: 'sub', id: 1, ok: true, notAllowed: [], unknown: [1] }
    expect(await next('sub')).toEqual(answer)
    expect((await next('values')).v).toEqual([[1, 0, t, 1, 0]])
    send({ op: 'more', id: 1, add: [flow, 'Probe:1/also none'], drop: [missing] })
    const more = { op: 'more', id: 1, ok: true, from: 2, notAllowed: [], unknown: [3] }
    expect(await next('more')).toEqual(more)
    frames.length = 0
    await report('flow', 7)
    let rows = (await next('values')).v
    // The newest value of a path that has just joined may come before.
    while (rows?.[0]?.[3] !== 7) rows = (await next('values')).v
    expect(rows).toEqual([[1, 2, t, 7, 0]])
    send({ op: 'more', id: 1, drop: [level] })
    await next('more')
    await report('level', 2)
    await report('flow', 8)
    expect((await next('values')).v).toEqual([[1, 2, t, 8, 0]])
    send(listOf(2, [level], { index: false }))
    expect((await next('values')).v).toEqual([[2, level, t - 1, 2, 0]])
    ws.close()
  }
})

test('of a path that may not be read there is nothing on the wire, and changed rights hold at once', async () => {
  for (const platform of [first, second]) {
    first.rights['eve'] = rightOn(level)
    const { send, next, ws, frames } = await enter('eve', platform)
    await report('flow', 66)
    // Whether the device has a path is told of those alone that may be read.
    send(listOf(1, [level, flow, 'Probe:1/none']))
    expect(await next('sub')).toMatchObject({ ok: true, notAllowed: [1, 2], unknown: [] })
    await next('values')
    await report('flow', 67)
    await report('level', 3)
    expect((await next('values')).v).toEqual([[1, 0, t, 3, 0]])
    expect(frames).toEqual([])

    first.rights['eve'] = rightOn(flow)
    await tellRights()
    expect(await next('paths')).toEqual({ op: 'paths', id: 1, notAllowed: [0, 2], unknown: [] })
    expect((await next('values')).v).toEqual([[1, 1, t - 1, 67, 0]])
    await report('level', 4)
    await report('flow', 68)
    expect((await next('values')).v).toEqual([[1, 1, t, 68, 0]])
    send({ op: 'more', id: 1, add: [heat], drop: [] })
    expect(await next('more')).toMatchObject({ ok: true, from: 3, notAllowed: [3], unknown: [] })
    ws.close()
  }
})

test('a list that is too long, double or of another kind is refused whole, and the socket stays', async () => {
  first.member('ann', org)
  const { send, next, ws } = await enter('ann')
  const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => name + i)
  const refused = async (wish: object, code: string) => {
    send(wish)
    const op = (wish as { op: string }).op
    expect(await next(op)).toMatchObject({ ok: false, code: `platform.${code}` })
  }
  await refused(listOf(1, [level, level]), 'path_twice')
  await refused(listOf(1, [level], { kind: 'status' }), 'no_list')
  await refused({ op: 'sub', id: 1, kind: 'values', device: deviceId, index: true }, 'no_list')
  await refused({ op: 'more', id: 1, add: [level] }, 'no_list')
  await refused(listOf(1, [level], { device: newDeviceId() }), 'not_found')
  for (let id = 0; id < 10; id += 1) {
    send(listOf(id, many(2_000, 'p')))
    expect(await next('sub')).toMatchObject({ id, ok: true })
  }
  await refused(listOf(10, [level]), 'too_many_paths')
  await refused({ op: 'more', id: 0, add: [level] }, 'too_many_paths')
  await refused({ op: 'more', id: 0, add: ['p1'], drop: ['p0'] }, 'path_twice')
  send({ op: 'more', id: 0, add: [level], drop: ['p0'] })
  expect(await next('more')).toMatchObject({ ok: true, from: 2_000, unknown: [] })
  // A subscription that ends gives its paths back.
  send({ op: 'unsub', id: 9 })
  send(listOf(10, [level]))
  expect(await next('sub')).toMatchObject({ id: 10, ok: true, unknown: [] })
  ws.close()
})

test('a value of a list takes at most 45 bytes, and less than with one subscription for each path', async () => {
  const paths = Array.from({ length: 2_000 }, (_, at) => `Oven:1/zones[${at}]/temperature/actual`)
  /** Bytes that are sent for one value of each path; `keyOf` is the subscription and the key of a row. */
  const bytesWith = async (keyOf: (at: number, path: string) => [number, string | number]) => {
    const sent: string[] = []
    const reader = {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: 0,
      send: (text: string) => sent.push(text),
    }
    const outbox = createOutbox(reader as unknown as WebSocket, liveLimits)
    for (const [at, path] of paths.entries()) {
      const [id, key] = keyOf(at, path)
      if (at === 0 || id !== 1) outbox.open(id, 20)
      outbox.value(id, key, { t: 1_800_000_000_000 + at, v: 20 + Math.sin(at) * 5, q: 0 })
    }
    await until(() => sent.length > 0, 'the values')
    outbox.end()
    return Buffer.byteLength(sent.join('')) / paths.length
  }
  const listed = await bytesWith((at) => [1, at])
  const single = await bytesWith((at, path) => [at + 1, path])
  expect(listed).toBeLessThan(45)
  expect(listed).toBeLessThan(single * 0.65)
})
