import { once } from 'node:events'
import { coreContract } from '@longreach/core/contract'
import { publish } from '@longreach/kit/events'
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
