import { deserialize, serialize } from 'bson'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { platformContract } from '../contract.ts'
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
} from '../platform-testing.ts'

/** A device as the protocol describes it: it shares no code with the platform. */
async function startDevice(credentials: Credentials, format: 'bson' | 'json') {
  const { base } = credentials
  const encode = (v: unknown) => {
    const t = Date.now()
    return format === 'bson'
      ? Buffer.from(serialize({ v, t: new Date(t) }))
      : JSON.stringify({ t, v })
  }
  const device = {
    client: undefined as MqttClient | undefined,
    applied: '""',
    configurations: [] as string[],
    writes: [] as { topic: string; v: unknown; t: unknown }[],
    emptied: 0,
    /** Reports a written value, or not. */
    answers: true,
    send: (name: string, v: unknown, qos: 0 | 1 | 2 = 1) =>
      device.client?.publishAsync(topicOf(base, name), encode(v), { qos }),
    async start(): Promise<void> {
      const client = await connectDevice(credentials)
      device.client = client
      client.on('message', (topic, payload) => void device.receive(topic, payload))
      const topics = [
        `${base}/control/consumer/properties`,
        `${base}/com.corvina.control.sub.Config/applyConfiguration`,
        `${base}/com.corvina.control.sub.DeviceAlarm/a`,
      ]
      const writable =
        device.applied === '""' ? [] : ['speed', 'set'].map((name) => writeTopicOf(base, name))
      for (const topic of [...topics, ...writable]) await client.subscribeAsync(topic, { qos: 0 })
      const interfaces =
        'com.corvina.control.sub.Config:0:2;com.corvina.control.pub.Config:0:2;com.corvina.control.pub.DeviceAlarm:2:0;com.corvina.control.sub.DeviceAlarm:1:0'
      const more = device.applied === '""' ? '' : ';com.exor.ab12cd34ef:1:0'
      // As the library does: all at once, and what a reconnection cuts off is not missed.
      const tell = (topic: string, payload: string | Buffer) =>
        client.publish(topic, payload, { qos: 2 })
      tell(base, interfaces + more)
      tell(`${base}/control/emptyCache`, '1')
      const own = `${base}/com.corvina.control.pub.Config`
      tell(`${own}/configuration`, encode(device.applied))
      tell(
        `${own}/availableTags`,
        encode(JSON.stringify([{ name: 'temperature', type: 'double' }])),
      )
    },
    async receive(topic: string, payload: Buffer) {
      if (topic.endsWith('consumer/properties')) {
        device.emptied += 1
        return
      }
      const { v, t } = deserialize(payload)
      if (topic.endsWith('applyConfiguration')) {
        device.configurations.push(String(v))
        if (v === device.applied) return
        device.applied = String(v)
        device.client?.stream.destroy()
        await device.start()
        return
      }
      device.writes.push({ topic, v, t })
      if (device.answers) await device.send(topic.split('/').at(-1) ?? '', v, 0)
    },
    stop: () => device.client?.endAsync(true),
  }
  await device.start()
  return device
}

const org = 'exor'
const first = configurationText({
  temperature: { type: 'double' },
  speed: { type: 'integer', mode: 'RW' },
})
const second = configurationText({
  temperature: { type: 'double' },
  set: { type: 'double', mode: 'RW' },
})
type Status = z.output<(typeof platformContract)['events']['configurationStatus']['payload']>
/** One that waits as long as the product does, and one that is soon through with it. */
let platform: TestPlatform
let hasty: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 60_000, patienceMs: 60_000 })
  hasty = await testPlatform({ graceMs: 100, patienceMs: 100 })
})
afterAll(async () => {
  await platform.close()
  await hasty.close()
})

const eventsOf = async (topic: string, deviceId: string, at = platform) => {
  const { rows } = await at.database.pool.query<{ payload: Status & { connected: boolean } }>(
    `select payload from bus.event where topic = $1 and payload->>'deviceId' = $2 order by id`,
    [topic, deviceId],
  )
  return rows.map(({ payload }) => payload)
}

const register = async (configuration: string | null, at = platform) => {
  const deviceId = newDeviceId()
  at.register.devices.set(deviceId, {
    label: `Probe ${deviceId}`,
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration,
  })
  return { deviceId, credentials: await pair(at, org, deviceId) }
}

test.each(['bson', 'json'] as const)(
  'a device that speaks %s is configured, read and written (traps 1, 5, 6) [C-20][C-21][C-26]',
  async (format) => {
    const { deviceId, credentials } = await register(first)
    const ann = platform.member('ann', org)
    const params = { org, deviceId }
    const device = await startDevice(credentials, format)
    await until(() => device.configurations.length === 2 || undefined, 'the configuration twice')
    expect(device.configurations).toEqual([first, first])
    expect(device.emptied).toBe(2)
    const applied = await until(async () => {
      const found = await ann.configuration({ params })
      return found.applied ? found : undefined
    }, 'the applied configuration')
    expect(applied.configurationJson).toEqual(JSON.parse(first))
    expect(applied.configurationFromDevice).toEqual(JSON.parse(first))
    expect(applied.error).toBeNull()
    const statuses = await eventsOf('platform.configuration_status', deviceId)
    expect(statuses.at(-1)).toMatchObject({ sent: true, applied: true, error: null })

    await device.send('temperature', 20)
    const [series] = await ann.tags({
      params,
      query: { modelPath: 'Probe:1/temperature', limit: 1 },
    })
    expect(series).toMatchObject({
      types: ['datetime', 'double'],
      data: [[expect.any(Number), 20]],
    })
    expect(await ann.availableTags({ params })).toEqual([{ name: 'temperature', type: 'double' }])

    const written = await ann.writeTags({
      params,
      body: { data: [{ modelPath: 'Probe:1/speed', v: '42' }] },
    })
    expect(written.data).toEqual([
      { modelPath: 'Probe:1/speed', status: 'confirmed', value: 42, t: expect.any(Number) },
    ])
    const fraction = ann.writeTags({
      params,
      body: { data: [{ modelPath: 'Probe:1/speed', v: 3.7 }] },
    })
    await expect(fraction).rejects.toMatchObject({
      status: 422,
      code: 'platform.bad_value',
      details: { field: 'Probe:1/speed' },
    })
    expect(device.writes).toEqual([
      { topic: writeTopicOf(credentials.base, 'speed'), v: 42, t: expect.any(Date) },
    ])

    device.answers = false
    const unanswered = await ann.writeTags({
      params,
      body: { data: [{ modelPath: 'Probe:1/speed', v: 1 }], timeoutMs: 50 },
    })
    expect(unanswered.data).toEqual([{ modelPath: 'Probe:1/speed', status: 'no_answer' }])
    const sent = await ann.writeTags({
      params,
      body: { data: [{ modelPath: 'Probe:1/speed', v: 1 }], timeoutMs: 0 },
    })
    expect(sent.data).toEqual([{ modelPath: 'Probe:1/speed', status: 'sent' }])

    await platform.change(deviceId, { configuration: second })
    await until(() => device.applied === second || undefined, 'the second configuration')
    await until(
      async () => (await ann.configuration({ params })).applied || undefined,
      'the second to be applied',
    )
    device.answers = true
    await until(async () => {
      const { data } = await ann
        .writeTags({ params, body: { data: [{ modelPath: 'Probe:1/set', v: 1.5 }] } })
        .catch(() => ({ data: [] }))
      return data[0]?.status === 'confirmed' || undefined
    }, 'a write on the new path')
    const introspection = (
      await ann.deviceByAlias({ query: { alias: `Probe ${deviceId}` }, params: { org } })
    ).introspection
    expect(introspection['com.exor.ab12cd34ef']).toEqual({ major: 1, minor: 0 })
    const connections = await eventsOf('platform.device_connection', deviceId)
    expect(connections.map(({ connected }) => connected)).toEqual([true])
    await device.stop()
  },
)

test('a disconnection counts after the grace time, with the time of the loss [E-16]', async () => {
  const { deviceId, credentials } = await register(null, hasty)
  const ann = hasty.member('ann', org)
  const params = { org, deviceId }
  const device = await startDevice(credentials, 'bson')
  expect(device.configurations).toEqual([])
  await until(
    async () =>
      (await eventsOf('platform.device_connection', deviceId, hasty)).length === 1 || undefined,
    'the connection',
  )
  await device.stop()
  const gone = await until(async () => {
    const events = await eventsOf('platform.device_connection', deviceId, hasty)
    return events.length === 2 ? events : undefined
  }, 'the disconnection')
  expect(gone.map(({ connected }) => connected)).toEqual([true, false])
  const [status] = await ann.status({ params, query: {} })
  expect(status?.data.map(([, connected]) => connected)).toEqual([true, false])
  expect(status?.data[1]?.[0]).toBe(gone[1]?.at)
  const [last] = await ann.status({ params, query: { limit: 1 } })
  expect(last?.data).toEqual([status?.data[1]])
  const [none] = await ann.status({ params, query: { since: 'now+1h' } })
  expect(none?.data).toEqual([])
  const offline = ann.writeTags({ params, body: { data: [{ modelPath: 'Probe:1/speed', v: 1 }] } })
  await expect(offline).rejects.toMatchObject({ code: 'platform.no_such_path' })
})

test('a device that is away, a path that is read only and a wrong value are named', async () => {
  const { deviceId } = await register(first)
  const ann = platform.member('ann', org)
  const write = (modelPath: string, v: unknown) =>
    ann.writeTags({ params: { org, deviceId }, body: { data: [{ modelPath, v }] } })
  await expect(write('Probe:1/speed', 1)).rejects.toMatchObject({
    status: 409,
    code: 'platform.device_offline',
  })
  await expect(write('Probe:1/temperature', 1)).rejects.toMatchObject({
    status: 422,
    code: 'platform.not_writable',
  })
  await expect(write('Probe:1/speed', 'fast')).rejects.toMatchObject({
    status: 422,
    code: 'platform.bad_value',
  })
  await expect(write('Probe:1/other', 1)).rejects.toMatchObject({
    status: 422,
    code: 'platform.no_such_path',
  })
})

test('a device that keeps its old configuration is told of after a while (trap 5)', async () => {
  const { deviceId, credentials } = await register(first, hasty)
  const stubborn = await connectDevice(credentials)
  const report = `${credentials.base}/com.corvina.control.pub.Config/configuration`
  await stubborn.publishAsync(report, JSON.stringify({ v: '""', t: Date.now() }), { qos: 2 })
  const ann = hasty.member('ann', org)
  const { error, applied } = await until(async () => {
    const found = await ann.configuration({ params: { org, deviceId } })
    return found.error === null ? undefined : found
  }, 'the error')
  expect(error).toContain('has not taken over')
  expect(applied).toBe(false)
  await stubborn.endAsync()
})

test('a deleted device is disconnected and does not come back', async () => {
  const { deviceId, credentials } = await register(first)
  const client = await connectDevice(credentials)
  const ended = new Promise((resolve) => client.once('close', () => resolve(undefined)))
  await platform.remove(deviceId)
  await ended
  await expect(connectDevice(credentials)).rejects.toThrow(/refused|authorized/i)
})

test('a device whose key was revoked is disconnected and does not come back', async () => {
  const { deviceId, credentials } = await register(first)
  const client = await connectDevice(credentials)
  const ended = new Promise((resolve) => client.once('close', () => resolve(undefined)))
  await platform.member('ann', org).revokeActivationKey({ params: { org, deviceId } })
  await ended
  await expect(connectDevice(credentials)).rejects.toThrow(/refused|authorized/i)
})
