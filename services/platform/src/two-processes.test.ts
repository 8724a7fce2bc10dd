import { once } from 'node:events'
import { coreContract } from '@longreach/core/contract'
import { agentInterfaces, agentTopics } from '@longreach/device-protocol/agent-names'
import { publish } from '@longreach/kit/events'
import { person } from '@longreach/kit/testing'
import { deserialize, serialize } from 'bson'
import { sql } from 'kysely'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from './contract.ts'
import { openLive } from './live/live-testing.ts'
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
} from './platform-testing.ts'

// Two processes of the platform on one database: what one is told, both do.

const org = 'exor'
const configuration = configurationText({ temperature: { type: 'double' } })
let first: TestPlatform
let second: TestPlatform
beforeAll(async () => {
  // Rights of a live socket are not looked up by time during this test.
  const timings = { graceMs: 50, recheckMs: 3_600_000 }
  first = await testPlatform(timings)
  second = await testPlatform(timings, undefined, undefined, first)
})
afterAll(async () => {
  await second?.close()
  await first?.close()
})

/** A paired device in an organization. */
async function paired(organization = org) {
  const id = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration }
  first.register.devices.set(id, { label: id, orgResourceId: organization, ...facts })
  return { id, credentials: await pair(first, organization, id) }
}

/** The device's line to one of the two. */
async function connectTo(platform: TestPlatform, credentials: Credentials) {
  const client = await connectDevice({ ...credentials, port: platform.site.mqttPort })
  let isOpen = true
  client.once('close', () => {
    isOpen = false
  })
  return { client, base: credentials.base, isOpen: () => isOpen }
}
const both = () => [first, second]

/** Paired devices, as many at each of the two. */
async function devicesAtBoth(organization: string, ofEach: number) {
  const devices = []
  for (const platform of both())
    for (let n = 0; n < ofEach; n += 1) {
      const { id, credentials } = await paired(organization)
      devices.push({ id, credentials, line: await connectTo(platform, credentials) })
    }
  return devices
}

type Connected = { line: { client: MqttClient; isOpen: () => boolean } }
const hungUp = (devices: readonly Connected[]) =>
  until(() => devices.every(({ line }) => !line.isOpen()), 'the ends of the lines')
const goAway = (...devices: readonly Connected[]) =>
  Promise.all(devices.map(({ line }) => line.client.endAsync(true)))

const bson = (v: number, t = Date.now()) => Buffer.from(serialize({ v, t: new Date(t) }))
const send = ({ client, base }: { client: MqttClient; base: string }, v: number) =>
  client.publishAsync(topicOf(base, 'temperature'), bson(v), { qos: 1 })
const newestAt = async (platform: TestPlatform, deviceId: string) => {
  const [series] = await platform.member('ann', org).series({ params: { org, deviceId } })
  return series?.last?.v
}

test('a device whose key is revoked is hung up on, wherever it is connected, and let in nowhere', async () => {
  const devices = await devicesAtBoth(org, 4)
  const other = await devicesAtBoth(org, 1)
  for (const { id } of devices)
    await first.member('owner', org).revokeActivationKey({ params: { org, deviceId: id } })
  await hungUp(devices)
  expect(other.map(({ line }) => line.isOpen())).toEqual([true, true])
  for (const { credentials } of devices)
    for (const platform of both()) await expect(connectTo(platform, credentials)).rejects.toThrow()
  await goAway(...other)
})

test.each(['trash', 'remove'] as const)(
  'a deleted device (%s) is hung up on, wherever it is connected, and no later value of it is acknowledged',
  async (how) => {
    const devices = await devicesAtBoth(org, 3)
    for (const { line } of devices) await send(line, 1)
    for (const { id } of devices) await first[how](id)
    await hungUp(devices)
    for (const { credentials } of devices)
      for (const platform of both())
        await expect(connectTo(platform, credentials)).rejects.toThrow()
  },
)

test('devices of a deleted organization are hung up on and refused at both, until it comes back', async () => {
  const gone = 'exor.gone'
  const devices = await devicesAtBoth(gone, 2)
  const at = Date.now()
  await first.tellOrganizations('organizationDeleted', at, gone)
  await hungUp(devices)
  const [device] = devices
  if (!device) throw new Error('no device')
  for (const platform of both())
    await expect(connectTo(platform, device.credentials)).rejects.toThrow()
  await first.tellOrganizations('organizationRestored', at + 1, gone)
  for (const platform of both()) {
    const line = await until(
      () => connectTo(platform, device.credentials).catch(() => undefined),
      'the device to be let in',
    )
    await goAway({ line })
  }
})

test('a device that moves away loses its line, whichever process it was connected to', async () => {
  const devices = await devicesAtBoth(org, 1)
  for (const { id } of devices) await first.move(id, 'acqua')
  await hungUp(devices)
  for (const { credentials } of devices)
    for (const platform of both()) await expect(connectTo(platform, credentials)).rejects.toThrow()
})

test('a new configuration is sent by the process that the device is connected to', async () => {
  const devices = await devicesAtBoth(org, 1)
  const texts = new Map<string, unknown[]>()
  for (const { id, line } of devices) {
    const told: unknown[] = []
    texts.set(id, told)
    line.client.on('message', (topic, payload) => {
      if (topic.endsWith('/configuration/apply') || topic.includes('applyConfiguration'))
        told.push((deserialize(payload) as { v: unknown }).v)
    })
    await line.client.subscribeAsync(`${line.base}/#`, { qos: 1 })
  }
  const wanted = configurationText({ temperature: { type: 'double' }, force: { type: 'double' } })
  for (const { id } of devices) await first.change(id, { configuration: wanted })
  for (const { id } of devices)
    await until(() => texts.get(id)?.includes(wanted), `the new configuration of ${id}`)
  await goAway(...devices)
})

test('the newest value is the newest at both processes, whichever the device is connected to', async () => {
  const { id, credentials } = await paired()
  for (const [round, platform] of [first, second, first].entries()) {
    const line = await connectTo(platform, credentials)
    for (const v of [round * 10 + 1, round * 10 + 2]) {
      await send(line, v)
      for (const asked of both()) expect(await newestAt(asked, id)).toBe(v)
    }
    await goAway({ line })
  }
})

test('a value that a process wrote which is gone meanwhile is the newest at the one that stays', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(first, credentials)
  await send(line, 1)
  expect(await newestAt(first, id)).toBe(1)
  await goAway({ line })
  const third = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  const other = await connectTo(third, credentials)
  await send(other, 2)
  await goAway({ line: other })
  await third.close()
  await expect.poll(() => newestAt(first, id)).toBe(2)
})

const stateOf = async (platform: TestPlatform, deviceId: string) =>
  platform.member('ann', org).connections({ params: { org, deviceId }, query: {} })

test('a process that starts, and one that stops, disconnects no device of another one [C-21]', async () => {
  const devices = await devicesAtBoth(org, 2)
  const third = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  const { id, credentials } = await paired()
  const before = await connectTo(third, credentials)
  for (const device of devices) {
    expect(await stateOf(third, device.id)).toMatchObject({ connected: true })
    await send(device.line, 1)
  }
  await third.close()
  await until(() => !before.isOpen(), 'the end of the line')
  const line = await connectTo(first, credentials)
  // Three grace times and more, in which the leader looks at all lines.
  await until(async () => {
    const { rows } = await sql`select from platform.line where lost_at is not null`.execute(
      first.database.db,
    )
    return rows.length === 0
  }, 'the end of what the third process had')
  for (const device of [...devices, { id, line }]) {
    const { connected, connections } = await stateOf(second, device.id)
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
    expect(device.line.isOpen()).toBe(true)
  }
  await goAway(...devices, { line })
})

test('a device that connects to another process loses the old line, and stays connected [C-21]', async () => {
  const { id, credentials } = await paired()
  const old = await connectTo(first, credentials)
  await send(old, 1)
  const line = await connectTo(second, credentials)
  await until(() => !old.isOpen(), 'the end of the old line')
  await send(line, 2)
  for (const platform of both()) {
    expect(await newestAt(platform, id)).toBe(2)
    const { connected, connections } = await stateOf(platform, id)
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
  }
  await goAway({ line })
  await expect.poll(async () => (await stateOf(first, id)).connected).toBe(false)
})

test('a person sees at each process when a device comes and goes [C-21]', async () => {
  const { id, credentials } = await paired()
  first.member('ann', org)
  const sockets = await Promise.all(both().map((platform) => openLive(platform)))
  for (const { send: say, next } of sockets) {
    say({ op: 'hello', token: first.tokenOf('ann', org), organization: org })
    await next('ready')
    say({ op: 'sub', id: 1, kind: 'status', device: id })
    await next('sub')
  }
  const line = await connectTo(first, credentials)
  for (const { next } of sockets)
    expect(await next('status')).toMatchObject({ device: id, connected: true })
  await goAway({ line })
  for (const { next } of sockets)
    expect(await next('status')).toMatchObject({ device: id, connected: false })
  for (const { ws } of sockets) ws.close()
})

const writable = configurationText({ force: { type: 'double', mode: 'RW' } })
/** A device at the first process that takes what is written to it and reports it. */
async function takingDevice() {
  const id = newDeviceId()
  const facts = { realm: 'exor', groups: [], configuration: writable }
  first.register.devices.set(id, { label: id, orgResourceId: org, ...facts })
  const line = await connectTo(first, await pair(first, org, id))
  line.client.on('message', (topic, payload) => {
    if (topic !== writeTopicOf(line.base, 'force')) return
    const { v } = deserialize(payload) as { v: number }
    void line.client.publishAsync(topicOf(line.base, 'force'), bson(v), { qos: 1 })
  })
  await line.client.subscribeAsync(writeTopicOf(line.base, 'force'), { qos: 1 })
  // The line is written down a moment after the connection.
  await until(async () => (await stateOf(second, id)).connected, 'the line')
  return { id, line, params: { org, deviceId: id } }
}
const force = 'Probe:1/force'
const write = (v: unknown) => ({ data: [{ modelPath: force, v }], timeoutMs: 20_000 })

test('a value is written from a process that the device is not connected to, and confirmed', async () => {
  const { id, line, params } = await takingDevice()
  const member = second.member('ann', org)
  const { data } = await member.writeTags({ params, body: write(12.5) })
  expect(data).toMatchObject([{ modelPath: force, status: 'confirmed', value: 12.5 }])
  for (const platform of both()) expect(await newestAt(platform, id)).toBe(12.5)
  await expect(member.writeTags({ params, body: write('warm') })).rejects.toMatchObject({
    status: 422,
    code: 'platform.bad_value',
  })
  await goAway({ line })
  await until(async () => !(await stateOf(second, id)).connected, 'the end of the line')
  await expect(member.writeTags({ params, body: write(1) })).rejects.toMatchObject({
    status: 409,
    code: 'platform.device_offline',
  })
})

test('a write over another process needs the right there too [A-05]', async () => {
  const { id, line, params } = await takingDevice()
  const eve = second.member('eve', 'acme')
  const foreign = eve.writeTags({ params: { org: 'acme', deviceId: id }, body: write(1) })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  // The right goes between the check of the process that is asked and that of the other one.
  second.member('dora', org)
  let asked = 0
  const { capability } = second.rights['dora']?.[org] ?? {}
  Object.defineProperty(second.rights, 'dora', {
    configurable: true,
    get: () => ((asked += 1) === 1 ? { [org]: { capability, below: false } } : {}),
  })
  const dora = second.as(person('dora', 'exor', org), platformContract)
  const withoutRight = dora.writeTags({ params, body: write(1) })
  await expect(withoutRight).rejects.toMatchObject({ status: 404, code: 'platform.not_found' })
  expect(asked).toBeGreaterThan(1)
  delete second.rights['dora']
  await goAway({ line })
})

test('while the way to the other process is interrupted a write is 503, and works again after', async () => {
  const { line, params } = await takingDevice()
  const member = second.member('ann', org)
  first.network.interrupt(true)
  await expect(member.writeTags({ params, body: write(3) })).rejects.toMatchObject({
    status: 503,
    code: 'platform.unreachable',
  })
  first.network.interrupt(false)
  const { data } = await member.writeTags({ params, body: write(3) })
  expect(data).toMatchObject([{ status: 'confirmed' }])
  await goAway({ line })
})

test('an agent gets a command from a process that it is not connected to, and its answer ends the call', async () => {
  const { id, credentials } = await paired()
  const agent = await connectTo(first, credentials)
  agent.client.on('message', (topic, payload) => {
    if (topic !== agent.base + agentTopics.command) return
    const { v } = deserialize(payload) as { v: string }
    const { id: asked, command } = JSON.parse(v) as { id: string; command: string }
    const answer = JSON.stringify({ id: asked, ok: true, result: { heard: command } })
    void agent.client.publishAsync(
      agent.base + agentTopics.answer,
      Buffer.from(serialize({ v: answer })),
      { qos: 1 },
    )
  })
  await agent.client.subscribeAsync(agent.base + agentTopics.command, { qos: 1 })
  const announced = agentInterfaces.map(({ name, major, minor }) => `${name}:${major}:${minor}`)
  await agent.client.publishAsync(agent.base, announced.join(';'), { qos: 1 })
  const params = { org, deviceId: id }
  const asker = second.member('ann', org)
  await until(async () => {
    const { announced: isAgent, connected } = await asker.agent({ params })
    return isAgent && connected
  }, 'the agent')
  const body = { command: 'agent.health' as const, input: {}, timeoutMs: 60_000 }
  const state = await asker.commandAgent({ params, body })
  expect(state).toMatchObject({ state: 'DONE', result: { heard: 'agent.health' } })
  first.network.interrupt(true)
  await expect(asker.commandAgent({ params, body })).rejects.toMatchObject({
    status: 503,
    code: 'platform.unreachable',
  })
  first.network.interrupt(false)
  await goAway({ line: agent })
})

test('a sync at one process sends the configuration by the process that the device is connected to', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(first, credentials)
  const topic = `${line.base}/com.corvina.control.sub.Config/applyConfiguration`
  await line.client.subscribeAsync(topic, { qos: 1 })
  const sent = new Promise<string>((resolve) => line.client.on('message', resolve))
  await until(async () => (await stateOf(second, id)).connected, 'the line')
  const synced = await second.member('ann', org).syncStatus({ params: { org, deviceId: id } })
  expect(synced).toEqual({ connected: true })
  expect(await sent).toBe(topic)
  await goAway({ line })
})

test('a person at one process sees values and frames of a device at the other one', async () => {
  const { id, credentials } = await paired()
  const line = await connectTo(first, credentials)
  await send(line, 1)
  second.member('ann', org)
  const socket = await openLive(second)
  socket.send({ op: 'hello', token: first.tokenOf('ann', org), organization: org })
  await socket.next('ready')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: id, path: '**' })
  socket.send({ op: 'sub', id: 2, kind: 'console', device: id })
  await socket.next('sub')
  await socket.next('sub')
  const seen = async (v: number) => {
    for (;;) {
      const { v: rows } = (await socket.next('values')) as { v: unknown[][] }
      if (rows.some((row) => row[0] === 1 && row[3] === v)) return
    }
  }
  await seen(1)
  await send(line, 2)
  await seen(2)
  const frame = await socket.next('frame')
  expect(frame).toMatchObject({
    id: 2,
    direction: 'received',
    ok: true,
    path: 'Probe:1/temperature',
  })
  // The device moves to the process that is watched from: nothing comes twice or stops.
  await goAway({ line })
  const here = await connectTo(second, credentials)
  await send(here, 3)
  await seen(3)
  await goAway({ line: here })
  socket.ws.close()
})

test('of a device that nobody watches nothing is told', async () => {
  const { credentials } = await paired()
  const told: string[] = []
  const ear = first.network.wire()
  for (const subject of ['*.*.live.*', '*.*.frame.*'])
    ear.hear({ subject, live: true }, (_, name) => void told.push(name))
  const line = await connectTo(first, credentials)
  for (let v = 0; v < 20; v += 1) await send(line, v)
  await goAway({ line })
  expect(told).toEqual([])
  await ear.close()
})

test('a second process that cannot reach the first does not start', async () => {
  const beside = { ...first, isAlone: true }
  await expect(testPlatform({}, undefined, undefined, beside)).rejects.toThrow('NATS_URL')
})

test('a person whose rights are taken away loses the live socket at each process [A-05]', async () => {
  first.member('eve', org)
  const sockets = await Promise.all(both().map((platform) => openLive(platform)))
  const closed = sockets.map(({ ws }) => once(ws, 'close'))
  for (const { send, next } of sockets) {
    send({ op: 'hello', token: first.tokenOf('eve', org), organization: org })
    await next('ready')
  }
  first.rights['eve'] = {}
  await first.database.db
    .transaction()
    .execute((tx) => publish(tx, coreContract.events.permissionsChanged, { resourceId: org }))
  const codes = (await Promise.all(closed)).map(([code]) => code as number)
  expect(codes).toEqual([4403, 4403])
})

test('a certificate of a new authority is taken by both processes', async () => {
  await first.asService(platformContract).rotateAuthority({ body: {} })
  const { credentials } = await paired()
  for (const platform of both()) {
    const line = await until(
      () => connectTo(platform, credentials).catch(() => undefined),
      'the device to be let in',
    )
    await goAway({ line })
  }
})
