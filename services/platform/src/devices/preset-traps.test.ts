import { deserialize } from 'bson'
import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { type Running } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { connectDevice, pair, type TestPlatform, until } from '../platform-testing.ts'
import { platformWith } from '../service.ts'

let server: TestServer
let seeded: Seeded
let running: Running
const organization = 'nordwerk.service'
const query = { organization }
const applyTopic = 'com.corvina.control.sub.Config/applyConfiguration'
const ownTopic = 'com.corvina.control.pub.Config/configuration'

beforeAll(async () => {
  const services = [
    identityForTests,
    core,
    mappings,
    platformWith({ graceMs: 200, patienceMs: 200 }),
  ]
  server = await testServer(services, { admit: coreAuthorizer, now: () => new Date() })
  seeded = await seed(server)
  server.site.origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  running = await server.start()
  const properties = { temperature: { type: 'double' }, setpoint: { type: 'double' } }
  const body = { name: 'Oven:1.0.0', data: { type: 'object', properties } }
  await admin().createModel({ query, body })
})
afterAll(async () => {
  await running.close()
  await server.close()
})

const admin = () => server.as(seeded.people.administrator, mappingsContract)
const platform = () => server.as(seeded.people.administrator, platformContract)

const leaf = (source: string, deadband: number) => ({
  version: '1.0.0',
  type: 'double',
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy: { triggers: [{ type: 'onchange', changeMask: 'value', deadband }] },
  datalink: { source },
})
const tree = (deadband: number) => ({
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties: { temperature: leaf('T1', deadband), setpoint: leaf('SP', deadband) },
})
const makePreset = (name: string) => admin().createPreset({ query, body: { name, data: tree(1) } })

/** A paired device that writes down every message it gets, and answers nothing by itself. */
async function start(label: string, presetId?: string) {
  const { deviceId } = await admin().createDevice({ query, body: { label, presetId } })
  const shim = { site: server.site, member: platform } as unknown as TestPlatform // only these two are used to pair
  await server.settle()
  const credentials = await pair(shim, organization, deviceId)
  const client = await connectDevice(credentials)
  const { base } = credentials
  const got: { topic: string; payload: Buffer }[] = []
  client.on('message', (topic, payload) =>
    got.push({ topic: topic.slice(base.length + 1), payload }),
  )
  await client.subscribeAsync(`${base}/#`, { qos: 0 })
  const publish = (topic: string, payload: string) =>
    client.publishAsync(`${base}/${topic}`, payload, { qos: 2 })
  return {
    deviceId,
    got,
    configurations: () => got.filter(({ topic }) => topic === applyTopic),
    emptyCache: () => publish('control/emptyCache', '1'),
    report: (text: string) => publish(ownTopic, JSON.stringify({ v: text, t: Date.now() })),
    send: publish,
    stop: () => client.endAsync(true),
  }
}
type Device = Awaited<ReturnType<typeof start>>

const waitFor = (device: Device, count: number) =>
  until(() => device.configurations().length >= count || undefined, `${count} configurations`)
const textOf = ({ payload }: { payload: Buffer }) => String(deserialize(payload)['v'])
const stateOf = async ({ deviceId }: Device) =>
  (await admin().device({ params: { id: deviceId }, query })).value

test('the configuration comes again after every empty cache, byte for byte, as BSON (traps 1, 4, 6) [C-26]', async () => {
  const { id } = await makePreset('Again')
  const device = await start('Again', id)
  for (const times of [1, 2, 3]) {
    await device.emptyCache()
    await waitFor(device, times)
  }
  const fetch = server.fetchAs(seeded.people.administrator)
  const path = `/svc/mappings/api/v1/presets/${id}/deviceConfiguration?organization=${organization}`
  const text = await (await fetch(path)).text()
  expect(device.configurations().map(textOf)).toEqual([text, text, text])
  await device.stop()
})

test('a device without preset is sent no configuration (trap 2) [C-26]', async () => {
  const { id } = await makePreset('Taken away')
  const bare = await start('Bare')
  const device = await start('Loses it', id)
  await bare.emptyCache()
  await device.emptyCache()
  await waitFor(device, 1)
  await admin().assignPreset({ params: { id: device.deviceId }, query, body: { presetId: null } })
  const params = { org: organization, deviceId: device.deviceId }
  await until(
    async () =>
      (await platform().configuration({ params })).configurationJson === null || undefined,
    'the platform to know',
  )
  await device.emptyCache()
  // The answer to the empty cache shows that what was before it is done.
  const answered = ({ got }: Device) =>
    got.filter(({ topic }) => topic === 'control/consumer/properties').length
  await until(() => answered(device) === 2 || undefined, 'the second answer')
  await until(() => answered(bare) === 1 || undefined, 'the first answer')
  expect(device.configurations()).toHaveLength(1)
  expect(bare.configurations()).toHaveLength(0)
  await Promise.all([device.stop(), bare.stop()])
})

test('a device that dies of an alarm command lives through all that can be done with it (trap 3) [C-26]', async () => {
  const { id } = await makePreset('Alarms')
  const device = await start('Alarms', id)
  const publish = (topic: string, v: unknown) =>
    device.send(topic, JSON.stringify({ v, t: Date.now() }))
  await device.emptyCache()
  await waitFor(device, 1)
  const command = { name: 'hot', command: 'ack', evTs: 1, user: 'eve', comment: '' }
  // It raises an alarm, and what it sends to its own command topic is not brought back to it.
  await publish('com.corvina.control.pub.DeviceAlarm/a', { name: 'hot', state: 11, sev: 1 })
  await publish('com.corvina.control.sub.DeviceAlarm/a', command)
  // Nor does a value go there, whatever a configuration says.
  const asked = textOf(device.configurations()[0] ?? { payload: Buffer.from('') })
  for (const endpoint of ['/com.corvina.control.sub.DeviceAlarm/a', '/control/emptyCache']) {
    const evil = asked.replace(/"mapping":\{/, `"mapping":{"server_endpoint":"${endpoint}",`)
    expect(evil).not.toBe(asked)
    expect(() => readConfiguration(evil)).toThrow('is no endpoint for values')
  }
  const params = { org: organization, deviceId: device.deviceId }
  const body = { data: [{ modelPath: 'com.corvina.control.sub.DeviceAlarm/a', v: 1 }] }
  await expect(platform().writeTags({ params, body })).rejects.toMatchObject({ status: 422 })
  // A configuration that comes after all of it shows that nothing else is under way.
  await admin().updatePreset({ params: { id }, query, body: { data: tree(3) } })
  await waitFor(device, 2)
  expect(device.got.filter(({ topic }) => topic.includes('DeviceAlarm'))).toEqual([])
  await device.stop()
})

test('a changed preset reaches its devices at once and no other, and counts from the second report (trap 5) [C-26]', async () => {
  const { id } = await makePreset('Changed')
  const other = await makePreset('Not changed')
  const [device, bystander] = [await start('Changed', id), await start('Not changed', other.id)]
  for (const one of [device, bystander]) {
    await one.emptyCache()
    await one.report('""')
    await waitFor(one, 1)
  }
  const old = device.configurations().map(textOf)[0] ?? ''
  await admin().updatePreset({ params: { id }, query, body: { data: tree(2) } })
  await waitFor(device, 2)
  const fresh = device.configurations().map(textOf)[1] ?? ''
  expect(fresh).not.toBe(old)
  // Before it reconnected it reports what it did until now: that is no confirmation.
  await device.report(old)
  const failed = await until(async () => {
    const state = await stateOf(device)
    return state.configurationError === null ? undefined : state
  }, 'the error')
  expect(failed).toMatchObject({ configurationSent: true, configurationApplied: false })
  const ids = [id]
  expect(await admin().presetUses({ query: { ...query, ids } })).toEqual([
    { id, devices: 1, applied: 0, pending: 0, error: 1 },
  ])
  const params = { id: device.deviceId }
  expect(await admin().resendConfiguration({ params, query })).toEqual({ sent: true })
  await waitFor(device, 3)
  await device.report(fresh)
  await until(async () => (await stateOf(device)).configurationApplied || undefined, 'applied')
  expect(await admin().resendConfiguration({ params, query })).toEqual({ sent: false })
  expect(bystander.configurations()).toHaveLength(1)
  await Promise.all([device.stop(), bystander.stop()])
})
