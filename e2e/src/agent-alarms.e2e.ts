import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../apps/edge/src/free-port-for-tests.ts'
import { startTestBroker } from '../../apps/edge/src/mqtt-broker-for-tests.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { activationKeyOf, mainOrg as org, setupEnv, setupOwner as owner } from './press-world.ts'
import { type Program, startProgram } from './program.ts'

const alarms = 'platform/api/v1/alarms'
const patient = { timeout: 90_000, interval: 200 }

let folder: string
let broker: Awaited<ReturnType<typeof startTestBroker>>
let plant: MqttClient
let longreach: Longreach
let agent: Program | undefined
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-agent-alarms-'))
  broker = await startTestBroker()
  plant = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`)
})
afterAll(async () => {
  await agent?.stop()
  await plant.endAsync(true)
  await broker.close()
  await longreach.stop()
  await rm(longreach.dataDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

const level = (v: number) => plant.publishAsync('tank/level', String(v))

/** Settings of an agent with two alarms of its own about the level of a tank. */
async function configFor(activationKey: string) {
  const config = path.join(folder, 'edge.yaml') // JSON is YAML
  const when = { path: 'tank.level', op: '<', value: 10 }
  const settings = {
    activationKey,
    endpoint: longreach.url,
    dataDir: path.join(folder, 'agent'),
    sources: [
      {
        type: 'mqtt',
        name: 'plant',
        url: `mqtt://127.0.0.1:${broker.port}`,
        tags: [{ name: 'tank.level', topic: 'tank/level' }],
      },
    ],
    alarms: [
      { name: 'tank low', text: 'The tank is at {value} %', when, severity: 5, reset: true },
      { name: 'tank full', when: { ...when, op: '>', value: 90 }, severity: 3, ack: false },
    ],
  }
  await writeFile(config, JSON.stringify(settings))
  return config
}

type Found = {
  id: string
  name: string
  description: string
  status: string
  ack: string
  reset: string
  platformAction: boolean
  longreach: { since: number; returnedAt: number | null; late: boolean; unconfirmed: boolean }
}
const search = async (call: Calls) => {
  const { data } = await call<{ data: Found[] }>('POST', `${alarms}/search?${org}`, {})
  return data
}
const find = async (call: Calls, name: string) =>
  (await search(call)).find((one) => one.name === name)
const states = async (call: Calls, name: string) => {
  const found = await find(call, name)
  return found && `${found.status} ${found.ack} ${found.reset}`
}

test('alarms of an agent come and go while the server is away, and are known with their times; acknowledgement and reset travel back, after its kill too [E-15] [C-20] [T-07]', async () => {
  const env = {
    ...setupEnv,
    PORT: String(await freePort()),
    MQTT_PORT: String(await freePort()),
  }
  longreach = await startLongreach({ env })
  const { dataDir } = longreach
  const first = await signInByHttp(longreach.url, owner)
  const { deviceId } = await first<{ deviceId: string }>('POST', `mappings/api/v1/devices?${org}`, {
    label: 'gateway',
  })
  const config = await configFor(await activationKeyOf(first, deviceId))
  const startAgent = async () => {
    agent = startProgram('apps/edge/src/main.ts', ['--config', config])
    await expect.poll(agent.output, patient).toContain('connected to the platform')
    return agent
  }
  const before = await startAgent()
  const raised = async (v: number, pattern: RegExp) => {
    await expect.poll(() => level(v).then(before.output), patient).toMatch(pattern)
    return Date.now()
  }

  await longreach.kill()
  const from = Date.now()
  const lowAt = await raised(4, /"alarm":"tank low","state":"UA"/)
  const normalAt = await raised(50, /"alarm":"tank low","state":"RU"/)
  await raised(95, /"alarm":"tank full","state":"AA"/)
  const overAt = await raised(50, /"alarm":"tank full","state":"closed"/)
  longreach = await startLongreach({ env, dataDir })
  const call = await signInByHttp(longreach.url, owner)
  await expect
    .poll(() => states(call, 'tank low'), patient)
    .toBe('NOT_ACTIVE REQUIRED NOT_REQUIRED')
  const low = await find(call, 'tank low')
  expect(low).toMatchObject({ description: 'The tank is at 4 %', longreach: { late: false } })
  expect(low?.longreach.since).toBeGreaterThanOrEqual(from)
  expect(low?.longreach.since).toBeLessThanOrEqual(lowAt)
  expect(low?.longreach.returnedAt).toBeGreaterThan(low?.longreach.since ?? Infinity)
  expect(low?.longreach.returnedAt).toBeLessThanOrEqual(normalAt)
  await expect
    .poll(() => states(call, 'tank full'), patient)
    .toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  const full = await find(call, 'tank full')
  expect(full?.longreach.since).toBeGreaterThanOrEqual(normalAt - 1_000)
  expect(full?.longreach.returnedAt).toBeLessThanOrEqual(overAt)

  // Killed and started anew, it has another certificate, and still knows what it has raised.
  before.child.kill('SIGKILL')
  await before.ended
  const after = await startAgent()
  const act = (action: string) => call('POST', `${alarms}/action/${action}?${org}`, { id: low?.id })
  // What it says of its open alarms after the connection goes before a change that comes later.
  await expect
    .poll(() => level(95).then(after.output), patient)
    .toMatch(/"alarm":"tank full","state":"AA"/)
  await expect
    .poll(() => states(call, 'tank full'), patient)
    .toBe('ACTIVE NOT_REQUIRED NOT_REQUIRED')
  expect((await find(call, 'tank low'))?.longreach.unconfirmed).toBe(false)
  await act('ack')
  await expect
    .poll(() => states(call, 'tank low'), patient)
    .toBe('NOT_ACTIVE NOT_REQUIRED REQUIRED')
  await act('reset')
  await expect
    .poll(() => states(call, 'tank low'), patient)
    .toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  expect(after.output()).toMatch(/"alarm":"tank low","state":"RL"/)
  expect(after.output()).toMatch(/"alarm":"tank low","state":"closed"/)
  expect(await find(call, 'tank low')).toMatchObject({ id: low?.id, platformAction: false })
}, 600_000)
