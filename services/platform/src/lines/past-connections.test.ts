import type { Caller } from '@longreach/kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'

const org = 'exor'
const [hour, day] = [3_600_000, 86_400_000]
const house: Caller = { kind: 'service', sub: 'test', username: 'test', realm: '' }
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 20_000 })
})
afterAll(() => platform.close())

function newDevice(label: string) {
  const deviceId = newDeviceId()
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, { label, ...facts })
  return deviceId
}
const insert = (deviceId: string, changes: [number, boolean][]) =>
  platform
    .as(house, platformContract)
    .insertConnections({ params: { deviceId }, body: { changes, ip: '10.0.0.7' } })
const factsOf = async (deviceId: string) => {
  const ann = platform.member('ann', org)
  const params = { org, deviceId }
  const { data } = await ann.activity({ params: { org }, body: { deviceIds: [deviceId] } })
  return { ...(await ann.connections({ params, query: {} })), activity: data[0] }
}

test('the line before a device was known here: availability, strip and time-line agree [C-21]', async () => {
  const deviceId = newDevice('Press')
  const now = Date.now()
  const changes: [number, boolean][] = [
    [now - 30 * day, true],
    [now - 9 * day, false],
    [now - 9 * day + 6 * hour, true],
    [now - 5 * hour, false],
    [now - 4 * hour, true],
  ]
  expect(await insert(deviceId, changes)).toEqual({ inserted: 5 })
  const { connected, connections, uptime, activity } = await factsOf(deviceId)
  expect(connected).toBe(true)
  expect(connections.map(({ ip }) => ip)).toEqual(['10.0.0.7', '10.0.0.7', '10.0.0.7'])
  expect(connections.map(({ from, to }) => [from, to])).toEqual([
    [now - 4 * hour, null],
    [now - 9 * day + 6 * hour, now - 5 * hour],
    [now - 30 * day, now - 9 * day],
  ])
  expect(activity).toMatchObject({ connectedBefore: true, changes: changes.slice(3) })
  const away = uptime.map(({ knownMs, onlineMs }) => Math.round((knownMs - onlineMs) / hour))
  expect(away).toEqual([1, 1, 7])
  expect(uptime.map(({ losses }) => losses)).toEqual([1, 1, 2])
  const query = { kind: 'connection' }
  const { data } = await platform.member('ann', org).timeline({ params: { org, deviceId }, query })
  expect(data.map(({ at }) => at)).toEqual(changes.map(([at]) => at).toReversed())
})

test('a device that comes goes on with its line, and one that does not come is away [C-21]', async () => {
  const deviceId = newDevice('Oven')
  const device = await pair(platform, org, deviceId)
  const began = Date.now() - day
  await insert(deviceId, [[began, true]])
  const client = await connectDevice(device)
  await client.publishAsync(`${device.base}/control/emptyCache`, '1', { qos: 2 })
  expect((await factsOf(deviceId)).connections).toMatchObject([{ from: began, to: null }])
  // Copies of the list of devices get an event, though nothing changes when the device connects.
  const { rows } = await platform.database.pool.query(
    `select payload from bus.event where topic = 'platform.device_connection' and payload->>'deviceId' = $1`,
    [deviceId],
  )
  expect(rows).toEqual([{ payload: { deviceId, connected: true, at: began } }])
  await client.endAsync()

  const quick = await testPlatform({ graceMs: 1 })
  const absent = newDeviceId()
  const facts = { label: 'Saw', realm: 'exor', orgResourceId: org, groups: [] }
  quick.register.devices.set(absent, { ...facts, configuration: null })
  await quick.as(house, platformContract).insertConnections({
    params: { deviceId: absent },
    body: { changes: [[began, true]] },
  })
  const state = () =>
    quick.member('ann', org).connections({ params: { org, deviceId: absent }, query: {} })
  await until(async () => !(await state()).connected, 'the device to be away')
  expect((await state()).connections[0]?.to).toBeGreaterThan(began)
  await quick.close()
})

test('what cannot be true of a line is refused, and nothing of it is kept [C-21]', async () => {
  const deviceId = newDevice('Mill')
  const now = Date.now()
  const faults: [[number, boolean][], RegExp][] = [
    [[[now + day, true]], /0 is in the future/],
    [[[now - day, true]].concat([[now - 2 * day, false]]) as [number, boolean][], /1 is no later/],
    [[[now - day, true]].concat([[now - hour, true]]) as [number, boolean][], /1 changes nothing/],
  ]
  for (const [changes, message] of faults) {
    await expect(insert(deviceId, changes)).rejects.toMatchObject({ status: 400, message })
  }
  await expect(insert(newDeviceId(), [[now - day, true]])).rejects.toMatchObject({ status: 404 })
  const twice = await Promise.allSettled([
    insert(deviceId, [[now - day, true]]),
    insert(deviceId, [[now - day, true]]),
  ])
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await factsOf(deviceId)).connections).toHaveLength(1)
  const ann = platform.member('ann', org)
  const asked = ann.insertConnections({ params: { deviceId }, body: { changes: [[1, true]] } })
  await expect(asked).rejects.toMatchObject({ status: 403 })
})
