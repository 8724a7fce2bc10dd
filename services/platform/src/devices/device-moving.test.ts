import { randomUUID } from 'node:crypto'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLive } from '../live/live-testing.ts'
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
const [old, next, foreign] = ['exor', 'exor.south', 'acme']
let platform: TestPlatform
let device: Credentials
let client: MqttClient

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 100 })
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { realm: 'exor', orgResourceId: old, groups: [3], configuration }
  platform.register.devices.set(deviceId, { label: 'Tank', ...facts })
  device = await pair(platform, old, deviceId)
  client = await connectDevice(device)
})
afterAll(async () => {
  await client.endAsync(true)
  await platform.close()
})

const send = (v: number, t: number) =>
  client.publishAsync(topicOf(device.base, 'level'), JSON.stringify({ v, t }), { qos: 1 })
const valuesIn = async (org: string) => {
  const params = { org, deviceId }
  const query = { modelPath: 'Probe:1/level', since: 0 }
  const [series] = await platform.member('ann', org).tags({ params, query })
  return series?.data ?? []
}

test('within its organization a moved device keeps its history, line and credentials [E-06]', async () => {
  const t = Date.now() - 60_000
  await send(1, t)
  expect(await valuesIn(old)).toEqual([[t, 1]])
  const socket = await openLive(platform, platform.site.origin)
  const token = platform.tokenOf('ann', old)
  socket.send({ op: 'hello', token, organization: old })
  await socket.next('ready')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: deviceId, path: '**' })
  await socket.next('values')

  await platform.move(deviceId, next)
  expect(await socket.next('end')).toMatchObject({ id: 1 })
  await until(
    () =>
      valuesIn(next).then(
        ({ length }) => length === 1 || undefined,
        () => undefined, // not there yet
      ),
    'the history in the new organization',
  )
  // A command of the old side is not the new side's, even before it is forgotten.
  const id = randomUUID()
  await platform.database.pool.query(
    `insert into platform.agent_command (id, device_id, org, command, asked_by, asked_at)
    values ($1, $2, $3, 'restart', 'ann', now())`,
    [id, deviceId, old],
  )
  await expect(
    platform.member('ann', next).agentCommand({ params: { org: next, deviceId, id } }),
  ).rejects.toMatchObject({ status: 404 })
  await send(2, t + 1)
  expect(await valuesIn(next)).toEqual([
    [t, 1],
    [t + 1, 2],
  ])
  await expect(valuesIn(old)).rejects.toMatchObject({ status: 404 })
  const again = await connectDevice(device)
  await again.endAsync()
  const key = await platform.member('ann', next).activationKey({ params: { org: next, deviceId } })
  expect(key.issuedBy).toBe('owner@exor')
})

test('back again, everything is there once [E-06]', async () => {
  await platform.move(deviceId, old)
  await until(
    () =>
      valuesIn(old).then(
        ({ length }) => length === 2 || undefined,
        () => undefined, // not there yet
      ),
    'the history back in the first organization',
  )
  // Its key and certificates are taken back by then too: a new key would be taken for the one before.
  await platform.settle()
  await expect(valuesIn(next)).rejects.toMatchObject({ status: 404 })
})

test('outside of it the key, the certificates and the line of who had it end [E-06]', async () => {
  const current = await pair(platform, old, deviceId)
  const line = await connectDevice(current)
  const ended = new Promise<void>((resolve) => line.once('close', () => resolve()))
  await platform.move(deviceId, foreign)
  await ended
  await until(
    () =>
      valuesIn(foreign).then(
        ({ length }) => length === 2 || undefined,
        () => undefined, // not there yet
      ),
    'the history in the foreign organization',
  )
  await expect(connectDevice(current)).rejects.toThrow(/Not authorized/)
  const key = platform.member('ann', foreign).activationKey({ params: { org: foreign, deviceId } })
  await expect(key).rejects.toMatchObject({ code: 'platform.no_activation_key' })
  // Who has it now pairs it anew.
  const fresh = await pair(platform, foreign, deviceId)
  const again = await connectDevice(fresh)
  await again.publishAsync(topicOf(fresh.base, 'level'), JSON.stringify({ v: 3, t: Date.now() }), {
    qos: 1,
  })
  expect((await valuesIn(foreign)).map(([, v]) => v)).toEqual([1, 2, 3])
  await again.endAsync(true)
})
