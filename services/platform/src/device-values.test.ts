import { serialize } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  configurationText,
  connectDevice,
  type Credentials,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
} from './platform-testing.ts'

const deviceId = newDeviceId()
const org = 'exor'
let platform: TestPlatform
let device: Credentials

beforeAll(async () => {
  platform = await testPlatform()
  platform.register.devices.set(deviceId, {
    label: 'Probe 1',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration: configurationText({
      temperature: { type: 'double' },
      count: { type: 'integer', mode: 'RW' },
      state: { type: 'string' },
      latest: { type: 'double', history: false },
    }),
  })
  device = await pair(platform, org, deviceId)
})
afterAll(() => platform.close())

test('a value that was acknowledged can be read [C-20]', async () => {
  const client = await connectDevice(device)
  const t = Date.now()
  await client.publishAsync(
    topicOf(device.base, 'temperature'),
    Buffer.from(serialize({ v: 21.5, t: new Date(t) })),
    { qos: 1 },
  )
  await client.publishAsync(
    topicOf(device.base, 'temperature'),
    JSON.stringify({ t: t + 1, v: 22 }),
    { qos: 2 },
  )
  const tags = await platform.member('ann', org).tags({
    params: { org, deviceId },
    query: { modelPath: '**', since: t - 1000 },
  })
  expect(tags).toEqual([
    {
      deviceId,
      modelPath: 'Probe:1/temperature',
      types: ['datetime', 'double'],
      header: ['timestamp', 'value'],
      data: [
        [t, 21.5],
        [t + 1, 22],
      ],
    },
  ])
  await client.endAsync()
})
