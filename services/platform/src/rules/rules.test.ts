import { serialize } from 'bson'
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
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform({ graceMs: 50 })
})
afterAll(() => platform.close())

const configuration = configurationText({ temperature: { type: 'double' } })

async function connected() {
  const id = newDeviceId()
  platform.register.devices.set(id, {
    label: id,
    orgResourceId: org,
    realm: 'exor',
    groups: [],
    configuration,
  })
  const credentials = await pair(platform, org, id)
  const client = await connectDevice(credentials)
  const send = (v: number, t: number) =>
    client.publishAsync(
      topicOf(credentials.base, 'temperature'),
      Buffer.from(serialize({ v, t: new Date(t) })),
      { qos: 1 },
    )
  return { id, client, send }
}

const hot = (deviceId: string, more: Record<string, unknown> = {}) => ({
  name: 'Too hot',
  scope: { deviceId },
  kind: 'condition',
  when: { path: 'Probe:1/temperature', op: '>', value: 50 },
  levels: [{ severity: 5 }],
  ...more,
})

const changesOf = (deviceId: string) =>
  platform.alarms.changed
    .filter((one) => one.deviceId === deviceId)
    .flatMap(({ changes }) => changes.map(({ kind, t }) => [kind, t]))

test('a value beyond a limit raises an alarm at its own time, and one below ends it', async () => {
  const { id, send, client } = await connected()
  const rule = await platform.alarms.save(platform.database.db, org, hot(id))
  const start = Date.now() - 3_000
  await send(20, start)
  await send(60, start + 1_000)
  await send(70, start + 1_500)
  await send(30, start + 2_000)
  await until(() => changesOf(id).length === 2, 'the changes')
  expect(changesOf(id)).toEqual([
    ['raise', start + 1_000],
    ['return', start + 2_000],
  ])
  expect(platform.alarms.changed.find(({ deviceId }) => deviceId === id)).toMatchObject({
    ruleId: rule,
    ruleVersion: 1,
    instance: '',
    changes: [{ kind: 'raise', severity: 5, words: { value: 60, limit: 50 } }],
  })
  await client.endAsync()
})
