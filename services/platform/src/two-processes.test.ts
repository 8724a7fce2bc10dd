import { once } from 'node:events'
import { coreContract } from '@longreach/core/contract'
import { publish } from '@longreach/kit/events'
import { deserialize } from 'bson'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { platformContract } from './contract.ts'
import { openLive } from './live/live-testing.ts'
import { configurationText, testPlatform, until } from './platform-testing.ts'
import {
  both,
  connectTo,
  devicesAtBoth,
  goAway,
  hungUp,
  newestAt,
  org,
  paired,
  send,
  stateOf,
  two,
  useTwoProcesses,
} from './two-processes-testing.ts'

// Two processes of the platform on one database: lines of devices, and what both do about them.

useTwoProcesses()

test('a device whose key is revoked is hung up on, wherever it is connected, and let in nowhere', async () => {
  const devices = await devicesAtBoth(org, 4)
  const other = await devicesAtBoth(org, 1)
  for (const { id } of devices)
    await two.first.member('owner', org).revokeActivationKey({ params: { org, deviceId: id } })
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
    for (const { id } of devices) await two.first[how](id)
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
  await two.first.tellOrganizations('organizationDeleted', at, gone)
  await hungUp(devices)
  const [device] = devices
  if (!device) throw new Error('no device')
  for (const platform of both())
    await expect(connectTo(platform, device.credentials)).rejects.toThrow()
  await two.first.tellOrganizations('organizationRestored', at + 1, gone)
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
  for (const { id } of devices) await two.first.move(id, 'acqua')
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
  for (const { id } of devices) await two.first.change(id, { configuration: wanted })
  for (const { id } of devices)
    await until(() => texts.get(id)?.includes(wanted), `the new configuration of ${id}`)
  await goAway(...devices)
})

test('a process that starts, and one that stops, disconnects no device of another one [C-21]', async () => {
  const devices = await devicesAtBoth(org, 2)
  const third = await testPlatform({ graceMs: 50 }, undefined, undefined, two.first)
  const { id, credentials } = await paired()
  const before = await connectTo(third, credentials)
  for (const device of devices) {
    expect(await stateOf(third, device.id)).toMatchObject({ connected: true })
    await send(device.line, 1)
  }
  await third.close()
  await until(() => !before.isOpen(), 'the end of the line')
  const line = await connectTo(two.first, credentials)
  // Three grace times and more, in which the leader looks at all lines.
  await until(async () => {
    const { rows } = await sql`select from platform.line where lost_at is not null`.execute(
      two.first.database.db,
    )
    return rows.length === 0
  }, 'the end of what the third process had')
  for (const device of [...devices, { id, line }]) {
    const { connected, connections } = await stateOf(two.second, device.id)
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
    expect(device.line.isOpen()).toBe(true)
  }
  await goAway(...devices, { line })
})

test('a device that connects to another process loses the old line, and stays connected [C-21]', async () => {
  const { id, credentials } = await paired()
  const old = await connectTo(two.first, credentials)
  await send(old, 1)
  const line = await connectTo(two.second, credentials)
  await until(() => !old.isOpen(), 'the end of the old line')
  await send(line, 2)
  for (const platform of both()) {
    expect(await newestAt(platform, id)).toBe(2)
    const { connected, connections } = await stateOf(platform, id)
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
  }
  await goAway({ line })
  await expect.poll(async () => (await stateOf(two.first, id)).connected).toBe(false)
})

test('a person sees at each process when a device comes and goes [C-21]', async () => {
  const { id, credentials } = await paired()
  two.first.member('ann', org)
  const sockets = await Promise.all(both().map((platform) => openLive(platform)))
  for (const { send: say, next } of sockets) {
    say({ op: 'hello', token: two.first.tokenOf('ann', org), organization: org })
    await next('ready')
    say({ op: 'sub', id: 1, kind: 'status', device: id })
    await next('sub')
  }
  const line = await connectTo(two.first, credentials)
  for (const { next } of sockets)
    expect(await next('status')).toMatchObject({ device: id, connected: true })
  await goAway({ line })
  for (const { next } of sockets)
    expect(await next('status')).toMatchObject({ device: id, connected: false })
  for (const { ws } of sockets) ws.close()
})

test('a second process that cannot reach the first does not start', async () => {
  const beside = { ...two.first, isAlone: true }
  await expect(testPlatform({}, undefined, undefined, beside)).rejects.toThrow('NATS_URL')
})

test('a person whose rights are taken away loses the live socket at each process [A-05]', async () => {
  two.first.member('eve', org)
  const sockets = await Promise.all(both().map((platform) => openLive(platform)))
  const closed = sockets.map(({ ws }) => once(ws, 'close'))
  for (const { send, next } of sockets) {
    send({ op: 'hello', token: two.first.tokenOf('eve', org), organization: org })
    await next('ready')
  }
  two.first.rights['eve'] = {}
  await two.first.database.db
    .transaction()
    .execute((tx) => publish(tx, coreContract.events.permissionsChanged, { resourceId: org }))
  const codes = (await Promise.all(closed)).map(([code]) => code as number)
  expect(codes).toEqual([4403, 4403])
})

test('a certificate of a new authority is taken by both processes', async () => {
  await two.first.asService(platformContract).rotateAuthority({ body: {} })
  const { credentials } = await paired()
  for (const platform of both()) {
    const line = await until(
      () => connectTo(platform, credentials).catch(() => undefined),
      'the device to be let in',
    )
    await goAway({ line })
  }
})
