import { afterAll, beforeAll, expect, test } from 'vitest'
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

const org = 'exor'
const params = { org }
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 10 }, () => new Date())
})
afterAll(() => platform.close())

test('a page of devices has its last messages and its line in one call [R-10] [E-16]', async () => {
  const deviceId = newDeviceId()
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { realm: org, orgResourceId: org, groups: [3], configuration }
  platform.register.devices.set(deviceId, { label: 'Oven', ...facts })
  const device = await pair(platform, org, deviceId)
  const client = await connectDevice(device)
  const began = Date.now()
  await client.publishAsync(topicOf(device.base, 'level'), '{"v":1}', { qos: 1 })
  await client.endAsync(true)
  const ask = async (who = 'ann', where = org) => {
    const body = { deviceIds: [deviceId, 'unknown'] }
    return (await platform.member(who, where).activity({ params, body })).data
  }
  const [row] = await until(async () => {
    const rows = await ask()
    return rows[0]?.changes.length === 2 ? rows : undefined
  }, 'the line came and went')
  expect(row).toMatchObject({ deviceId, connected: false, connectedBefore: null })
  expect(row?.changes.map(([, connected]) => connected)).toEqual([true, false])
  expect(row?.lastMessageAt).toBeGreaterThanOrEqual(began)
  await platform.remove(deviceId)
  await until(async () => ((await ask()).length === 0 ? true : undefined), 'it is gone')
})
