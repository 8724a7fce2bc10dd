import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bitOf } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../../../services/platform/src/contract.ts'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../../../services/platform/src/platform-testing.ts'
import { startAgent } from './agent.ts'
import { type OvenServer, startOven } from './plant-oven-server.ts'
import { checkSettings } from './settings.ts'

const org = 'exor'
const poll = { timeout: 60_000, interval: 50 }
const ends: (() => Promise<unknown>)[] = []
let platform: TestPlatform
let oven: OvenServer

beforeAll(async () => {
  platform = await testPlatform()
  oven = await startOven({ port: 0, host: '127.0.0.1', seed: 1, speed: 1 })
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(async () => {
  await oven.close()
  await platform.close()
})

async function folder() {
  const dir = await mkdtemp(path.join(tmpdir(), 'longreach-remote-'))
  ends.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

type Result = { version: number; sources: { source: { name: string }; hasPassword: boolean }[] }

/** Device with a running agent that reads only its own machine. */
async function gateway(more: object = {}) {
  const deviceId = newDeviceId()
  const configuration = configurationText({ temperature: { type: 'double' } })
  const master = {
    label: 'Gateway 7',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration,
  }
  platform.register.devices.set(deviceId, master)
  const owner = platform.member('owner', org)
  const params = { org, deviceId }
  const { activationKey } = await owner.issueActivationKey({ params, body: {} })
  const dataDir = await folder()
  const start = () => {
    const agent = startAgent(
      checkSettings({
        activationKey,
        endpoint: platform.site.origin,
        dataDir,
        sources: [{ type: 'host', pollMs: 1_000 }],
        ...more,
      }),
      pino({ level: 'silent' }),
    )
    let stopped = false
    const stop = async () => {
      if (!stopped) await agent.stop()
      stopped = true
    }
    ends.push(stop)
    return stop
  }
  const stop = start()
  await expect
    .poll(() => owner.agent({ params }).then(({ health }) => health?.version), poll)
    .toBeDefined()
  type Body = Parameters<typeof owner.commandAgent>[0]['body']
  const command = (body: Body) => owner.commandAgent({ params, body })
  const done = async (body: Body) => {
    const { state, error, result } = await command(body)
    expect(error).toBeNull()
    expect(state).toBe('DONE')
    return result as Result
  }
  return { deviceId, params, owner, command, done, stop, start, dataDir }
}

const ovenSource = (more: object = {}) => ({
  type: 'modbus',
  name: 'oven',
  host: '127.0.0.1',
  port: oven.port,
  pollMs: 100,
  tags: [{ name: 'temperature', area: 'input', address: 0, type: 'int16', scale: 0.1 }],
  ...more,
})

test('the release key comes with the first pairing; who paired before learns it over its own line', async () => {
  const { owner, params, dataDir, stop, start } = await gateway()
  const told = () => owner.agent({ params }).then(({ health }) => health?.releaseKey)
  const learned = await told()
  expect(learned).toMatch(/^MCow/)
  const file = path.join(dataDir, 'release-key.json')
  await stop()
  await rm(file)
  const stopAgain = start()
  const kept = () => readFile(file, 'utf8').catch(() => '') // no key yet
  await expect.poll(kept, poll).toContain(learned)
  // A key that was replaced twice is accepted in two steps.
  await stopAgain()
  const rotate = () => platform.asService(platformContract).rotateReleaseKey({ body: {} })
  await rotate()
  const { publicKey } = await rotate()
  start()
  await expect.poll(kept, poll).toContain(publicKey)
})

test('an agent announces itself and tells how it and its sources are', async () => {
  const { owner, params } = await gateway()
  const agent = await owner.agent({ params })
  expect(agent).toMatchObject({ announced: true, connected: true })
  expect(Math.abs(agent.clockDifferenceMs ?? Infinity)).toBeLessThan(60_000)
  expect(agent.health?.version).toBe(agent.available?.version)
  expect(agent.health).toMatchObject({
    node: process.version,
    buffer: { maxBytes: 256_000_000, dropped: 0 },
    sources: [{ name: 'host', type: 'host' }],
    update: null,
  })
  expect(agent.health?.memory.agent).toBeGreaterThan(1_000_000)
})

test('a source saved from afar runs, is advertised at once, and outlives a restart', async () => {
  const { owner, params, deviceId, done, stop, start } = await gateway()
  const saved = await done({ command: 'sources.save', input: { version: 0, source: ovenSource() } })
  expect(saved.sources.map(({ source }) => source.name)).toEqual(['host', 'oven'])
  const names = () => owner.availableTags({ params }).then((tags) => tags.map(({ name }) => name))
  await expect.poll(names, poll).toContain('temperature')
  const query = { modelPath: 'Probe:1/temperature' }
  const values = () => owner.tags({ params, query }).then(([series]) => series?.data.length ?? 0)
  await expect.poll(values, poll).toBeGreaterThan(0)
  await stop()
  start()
  await expect
    .poll(async () => (await done({ command: 'sources.read', input: {} })).version, poll)
    .toBe(1)
  const back = await done({ command: 'sources.restore', input: { version: 1 } })
  expect(back.sources.map(({ source }) => source.name)).toEqual(['host'])
  expect(back.version).toBe(2)
  // Reading commands change nothing and have no audit entry.
  const { rows } = await platform.database.pool.query<{ action: string }>(
    `select payload->>'action' as action from bus.event where topic = 'audit.recorded'
      and payload->>'id' = $1 and payload->>'call' = 'platform.commandAgent' order by payload->>'at'`,
    [deviceId],
  )
  expect(rows.map(({ action }) => action)).toEqual(['sources.save', 'sources.restore'])
})

test('a bad source is refused with its field and never applied', async () => {
  const { command, done } = await gateway()
  const bad = ovenSource({ tags: [{ name: 'a', area: 'holding', address: -1 }] })
  const refused = await command({ command: 'sources.save', input: { version: 0, source: bad } })
  expect(refused).toMatchObject({
    state: 'FAILED',
    error: { code: 'invalid', field: '1.tags.0.address', message: 'addresses count from 0' },
  })
  expect((await done({ command: 'sources.read', input: {} })).version).toBe(0)
})

test('of two who change the sources at once one is told to look again', async () => {
  const { command } = await gateway()
  const save = (name: string) =>
    command({
      command: 'sources.save',
      input: {
        version: 0,
        source: ovenSource({ name, tags: [{ name, area: 'input', address: 0 }] }),
      },
    })
  const states = await Promise.all([save('one'), save('two')])
  expect(states.map(({ state }) => state).toSorted()).toEqual(['DONE', 'FAILED'])
  expect(states.find(({ state }) => state === 'FAILED')?.error?.code).toBe('conflict')
})

test('the same id twice is one command with one answer', async () => {
  const { command, owner, params } = await gateway()
  const id = randomUUID()
  const body = { id, command: 'sources.save', input: { version: 0, source: ovenSource() } } as const
  const [one, two] = await Promise.all([command(body), command(body)])
  expect(one.state).toBe('DONE')
  expect(two.result).toEqual(one.result)
  expect(await owner.agentCommand({ params: { ...params, id } })).toEqual(one)
  const other = command({ id, command: 'sources.read', input: {} })
  await expect(other).rejects.toMatchObject({ code: 'platform.command_id_taken' })
})

test('passwords are kept for the same user at the same server, and told to nobody', async () => {
  const { command, done, owner, params } = await gateway()
  const broker = (url: string, password?: string) => ({
    type: 'mqtt',
    name: 'hall',
    url,
    username: 'me',
    ...(password && { password }),
    tags: [{ name: 'lamp', topic: 'hall/lamp' }],
  })
  const here = 'mqtt://127.0.0.1:9'
  const first = await command({
    command: 'sources.save',
    input: { version: 0, source: broker(here, 'open-sesame') },
  })
  expect(JSON.stringify(first)).not.toContain('open-sesame')
  const kept = await done({
    command: 'sources.save',
    input: { version: 1, source: broker(here), replaces: 'hall' },
  })
  expect(kept.sources.at(-1)?.hasPassword).toBe(true)
  const moved = await done({
    command: 'sources.save',
    input: { version: 2, source: broker('mqtt://127.0.0.2:9'), replaces: 'hall' },
  })
  expect(moved.sources.at(-1)?.hasPassword).toBe(false)
  const rows = await platform.database.pool.query(
    'select row_to_json(c) from platform.agent_command c',
  )
  expect(JSON.stringify(rows.rows)).not.toContain('open-sesame')
  expect(await owner.console({ params }).then((frames) => JSON.stringify(frames))).not.toContain(
    '6f70656e',
  )
})

test('an agent that may not be configured from afar says so', async () => {
  const { command } = await gateway({ remote: { configure: false, update: false } })
  const input = { version: 0, source: ovenSource() }
  const refused = await command({ command: 'sources.save', input })
  expect(refused.error).toMatchObject({ code: 'not_possible' })
  expect(refused.error?.message).toContain('remote.configure')
})

test('an update of an agent without its supervisor says how to start it', async () => {
  const { command, owner, params } = await gateway()
  const { available } = await owner.agent({ params })
  const version = available?.version ?? ''
  const refused = await command({ command: 'agent.update', input: { version } })
  expect(refused.error?.message).toContain('npm run edge')
  const gone = command({ command: 'agent.update', input: { version: '0.0.1' } })
  await expect(gone).rejects.toMatchObject({ code: 'platform.agent_version_gone' })
})

test('a device without this agent, and one that is away, never get a command', async () => {
  const { command, owner, params, deviceId, stop } = await gateway()
  await stop()
  const ask = () => command({ command: 'sources.read', input: {} })
  await expect(ask()).rejects.toMatchObject({ status: 409, code: 'platform.device_offline' })
  const db = platform.database.pool
  await db.query(
    `update platform.device_state set introspection = 'com.corvina.control.sub.Config:0:2' where device_id = $1`,
    [deviceId],
  )
  await expect(ask()).rejects.toMatchObject({ status: 409, code: 'platform.no_agent' })
  expect((await owner.agent({ params })).announced).toBe(false)
})

test('other organizations and people without the right reach no agent', async () => {
  const { params, owner } = await gateway()
  const ask = (who: typeof owner, where = params) =>
    who.commandAgent({ params: where, body: { command: 'sources.read', input: {} } })
  const stranger = platform.member('stranger', 'other')
  await expect(ask(stranger, { ...params, org: 'other' })).rejects.toMatchObject({ status: 404 })
  const asked = stranger.agent({ params: { ...params, org: 'other' } })
  await expect(asked).rejects.toMatchObject({ status: 404 })
  const readOnly = { grants: { devices: bitOf('read') }, deviceGroups: [] }
  platform.rights['viewer'] = { [org]: { capability: readOnly, below: false } }
  const viewer = platform.as(person('viewer', 'exor', org), platformContract)
  await expect(ask(viewer)).rejects.toMatchObject({ status: 403 })
})
