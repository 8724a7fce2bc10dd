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

const deviceId = newDeviceId()
const org = 'exor'
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 100 })
  const configuration = configurationText({ level: { type: 'double' } })
  const facts = { realm: org, orgResourceId: org, groups: [3], configuration }
  platform.register.devices.set(deviceId, { label: 'Tank', ...facts })
})
afterAll(() => platform.close())

test('a device in the trash is let in neither by MQTT nor by pairing, restored it is again [C-20]', async () => {
  const owner = platform.member('owner', org)
  const params = { org, deviceId }
  const device = await pair(platform, org, deviceId)
  const { activationKey } = await owner.issueActivationKey({ params, body: {} })
  const lookUp = () =>
    fetch(`${platform.site.origin}/pairing/api/v1/?activationKey=${activationKey}&serialNumber=`)
  const client = await connectDevice(device)
  const closed = new Promise((resolve) => client.once('close', () => resolve(undefined)))

  const restore = await platform.trash(deviceId)
  await closed
  await expect(connectDevice(device)).rejects.toThrow()
  expect((await lookUp()).status).toBeGreaterThanOrEqual(400)
  await expect(owner.status({ params, query: {} })).rejects.toMatchObject({ status: 404 })

  await restore()
  const back = await until(
    () => connectDevice(device).catch(() => undefined),
    'the restored device is let in',
  )
  expect((await lookUp()).status).toBe(200)
  await back.publishAsync(topicOf(device.base, 'level'), JSON.stringify({ v: 7, t: Date.now() }), {
    qos: 1,
  })
  const [series] = await owner.tags({ params, query: { modelPath: 'Probe:1/level', since: 0 } })
  expect(series?.data.map(([, value]) => value)).toEqual([7])
  await back.endAsync(true)
})
