import { type Action, resources } from '@longreach/authorization/permissions'
import { everyAction } from '@longreach/authorization/capability'
import { compileRole } from '@longreach/authorization/compile'
import { agentInterfaces } from '@longreach/device-protocol/agent-names'
import { createFabric } from '@longreach/kit/fabric'
import { keptLog } from '@longreach/kit/fabric-testing'
import { person } from '@longreach/kit/testing'
import { serialize } from 'bson'
import { sql } from 'kysely'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { platformContract } from './contract.ts'
import { openLive } from './live/live-testing.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from './platform-testing.ts'

// A device of one process, and people at both: who asks the other process may do what they may do at the
// device's own, and a message between the two gives no right to anything.

const org = 'exor'
const foreignOrg = 'acme'
const deviceId = newDeviceId()
const force = 'Probe:1/force'
const configuration = configurationText({ force: { type: 'double', mode: 'RW' } })
let first: TestPlatform
let second: TestPlatform
let client: MqttClient
let base = ''
/** Topics of all that the device was sent. */
let told: string[] = []

beforeAll(async () => {
  const timings = { graceMs: 50, recheckMs: 3_600_000 }
  first = await testPlatform(timings)
  second = await testPlatform(timings, undefined, undefined, first)
  const facts = { realm: 'exor', groups: [3], configuration }
  first.register.devices.set(deviceId, { label: 'Press', orgResourceId: org, ...facts })
  const device = await pair(first, org, deviceId)
  base = device.base
  client = await connectDevice({ ...device, port: first.site.mqttPort })
  client.on('message', (topic) => told.push(topic.slice(base.length)))
  await client.subscribeAsync(`${base}/#`, { qos: 1 })
  const announced = agentInterfaces.map(({ name, major, minor }) => `${name}:${major}:${minor}`)
  await client.publishAsync(base, announced.join(';'), { qos: 1 })
  const owner = second.member('owner', org)
  await until(async () => {
    const agent = await owner.agent({ params: { org, deviceId } })
    return agent.announced && agent.connected
  }, 'the agent')
})
beforeEach(() => {
  told = []
})
afterAll(async () => {
  await client?.endAsync(true)
  await second?.close()
  await first?.close()
})

/** People by what they may do, each with rights in the organization that is named. */
const people = {
  owner: { [org]: { capability: everything(), below: false } },
  stranger: { [foreignOrg]: { capability: everything(), below: false } },
  reader: { [org]: { capability: onDevices('read'), below: false } },
  blind: { [org]: { capability: compileRole({ rules: [] }), below: false } },
  onePath: { [org]: { capability: onOnePath(), below: false } },
}
function everything() {
  const grants = Object.fromEntries(resources.map((resource) => [resource, everyAction]))
  return { grants, deviceGroups: [] }
}
function onDevices(...held: Action[]) {
  return compileRole({ rules: [{ resource: 'devices', actions: held, deviceGroup: null }] })
}
function onOnePath() {
  const rules = [{ resource: 'devices', actions: ['read', 'update'], deviceGroup: 3 }] as const
  const paths = [{ path: 'Probe:*/other', read: true, history: true, write: true }]
  return compileRole({ rules: [...rules], paths })
}
type Who = keyof typeof people

function clientOf(platform: TestPlatform, who: Who) {
  Object.assign(first.rights, people)
  const home = Object.keys(people[who])[0] ?? ''
  return platform.as(person(who, 'exor', home), platformContract)
}

const write = { data: [{ modelPath: force, v: 1.5 }], timeoutMs: 0 }
const health = { command: 'agent.health' as const, input: {}, timeoutMs: 0 }
/** Calls that go to the process that the device is connected to, and what the device is sent. */
const calls = {
  write: (who: Asking) => who.api.writeTags({ params: who.params, body: write }),
  command: (who: Asking) => who.api.commandAgent({ params: who.params, body: health }),
  configure: (who: Asking) => who.api.syncStatus({ params: who.params }),
}
type Asking = { api: ReturnType<typeof clientOf>; params: { org: string; deviceId: string } }
const named = Object.keys(calls) as (keyof typeof calls)[]

/** `done`, or the status and the code of the refusal. */
const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => {
      const { status, code } = z.object({ status: z.number(), code: z.string() }).parse(error)
      return `${status} ${code}`
    },
  )

const hidden = '404 platform.not_found'
const away = '404 auth.no_such_organization'
const noPath = '422 platform.no_such_path'
const missing = '403 auth.missing_permission'
const cells: [Who, string, Record<keyof typeof calls, string>][] = [
  ['owner', org, { write: 'done', command: 'done', configure: 'done' }],
  ['stranger', foreignOrg, { write: hidden, command: hidden, configure: hidden }],
  ['stranger', org, { write: away, command: away, configure: away }],
  ['reader', org, { write: missing, command: missing, configure: missing }],
  ['blind', org, { write: missing, command: missing, configure: missing }],
  ['onePath', org, { write: noPath, command: missing, configure: missing }],
]

test.each(cells)(
  '%s in %s may do at each process what the rights say [A-05]',
  async (who, organization, expected) => {
    const params = { org: organization, deviceId }
    for (const platform of [first, second]) {
      told = []
      const api = clientOf(platform, who)
      const done: Record<string, string> = {}
      for (const call of named) done[call] = await outcome(calls[call]({ api, params }))
      expect(done).toEqual(expected)
      const wanted = named.filter((call) => expected[call] === 'done').length
      await until(() => told.length >= wanted, 'what the device is sent')
      await nothingMore()
      expect(told).toHaveLength(wanted)
    }
  },
)

/** Sends a value that the device gets last, so that all that was sent before has come. */
async function nothingMore() {
  const before = told.length
  const api = clientOf(first, 'owner')
  await calls.write({ api, params: { org, deviceId } })
  await until(() => told.length > before, 'the last value')
  told.pop()
}

test.each(named)(
  'a person whose rights end while a %s is under way is refused where the device is connected [A-05]',
  async (call) => {
    const params = { org, deviceId }
    // The rights are gone from the second look on, which is that of the other process.
    const { owner } = people
    let asked = 0
    clientOf(first, 'owner')
    Object.defineProperty(first.rights, 'owner', {
      configurable: true,
      enumerable: true,
      get: () => ((asked += 1) === 1 ? owner : {}),
    })
    const api = second.as(person('owner', 'exor', org), platformContract)
    const done = await outcome(calls[call]({ api, params }))
    Object.defineProperty(first.rights, 'owner', { value: owner, writable: true })
    expect({ done, asked }).toEqual({ done: hidden, asked: 2 })
    await nothingMore()
    expect(told).toEqual([])
  },
)

/** Any message, sent without a look at what is in it. */
const any = { request: z.unknown(), reply: z.unknown() }

/** Sender that knows the installation and stands on the same wire. */
async function forger() {
  const { rows } = await sql<{ id: string }>`select id from bus.instance`.execute(first.database.db)
  const { log } = keptLog()
  const fabric = createFabric({ instance: rows[0]?.id ?? '', log, wire: first.network.wire() })
  const lines = await sql<{ node: number }>`
    select node from platform.line where device_id = ${deviceId}`.execute(first.database.db)
  const node = lines.rows[0]?.node ?? 0
  return {
    fabric,
    ask: (call: string, request: unknown) =>
      fabric.call({ subject: `node.${node}.${call}`, ...any }, request, { deadlineMs: 5_000 }),
  }
}

const callers = {
  'a person of another organization': person('stranger', 'exor', org),
  'a person who may only read': person('reader', 'exor', org),
  'a person who does not exist': person('nobody', 'exor', org),
  'a service': { kind: 'service', sub: 'owner', username: 'owner', realm: '' },
  'a device': { kind: 'device', sub: deviceId, username: 'owner', realm: 'exor' },
}
const forged = (asker: unknown) => ({
  write: { asker, deviceId, wishes: write.data, timeoutMs: 0 },
  command: { asker, deviceId, organization: org, order: { id: 'x', ...health } },
  configure: { asker, deviceId, organization: org },
})

test.each(Object.entries(callers))(
  'a forged message in the name of %s does nothing [A-05]',
  async (_, caller) => {
    Object.assign(first.rights, people)
    const { ask, fabric } = await forger()
    for (const organization of [org, foreignOrg, '']) {
      const asked = forged({ caller, organization, ip: '127.0.0.1' })
      for (const call of named) await expect(ask(call, asked[call])).rejects.toThrow()
    }
    await nothingMore()
    expect(told).toEqual([])
    await fabric.close()
  },
)

test.each([
  ['without a caller', undefined],
  ['with another kind of caller', { caller: 'owner', organization: org, ip: '' }],
  ['without an address', { caller: person('owner', 'exor', org), organization: org }],
])('a forged message %s does nothing [A-05]', async (_, asker) => {
  Object.assign(first.rights, people)
  const { ask, fabric } = await forger()
  for (const call of named) await expect(ask(call, forged(asker)[call])).rejects.toThrow()
  await nothingMore()
  expect(told).toEqual([])
  await fabric.close()
})

test('a forged write does not get round the second person, nor a used consent [A-05]', async () => {
  const params = { org, deviceId }
  const api = clientOf(second, 'owner')
  await api.setWritePolicy({ params: { org }, body: { secondPerson: true } })
  const { ask, fabric } = await forger()
  const asker = { caller: person('owner', 'exor', org), organization: org, ip: '127.0.0.1' }
  const wishes = [{ modelPath: force, v: 7 }]
  const message = { asker, deviceId, wishes, timeoutMs: 0 }
  const refused = { code: 'platform.second_person_needed' }
  await expect(ask('write', message)).rejects.toMatchObject(refused)
  const request = await api.requestWrite({ params, body: wishes[0]! })
  const approved = request.id
  await expect(ask('write', { ...message, approved })).rejects.toMatchObject(refused)
  // A second person at the other process agrees: that one is carried out, once.
  const other = second.member('bea', org)
  const { result } = await other.approveWrite({
    params: { ...params, id: approved },
    body: { timeoutMs: 0 },
  })
  expect(result).toBe('sent')
  await until(() => told.length === 1, 'the value')
  await expect(ask('write', { ...message, approved })).rejects.toMatchObject(refused)
  await api.setWritePolicy({ params: { org }, body: { secondPerson: false } })
  await nothingMore()
  expect(told).toHaveLength(1)
  await fabric.close()
})

test.each([
  ['stranger', foreignOrg, { values: 'platform.not_found', console: 'platform.not_found' }],
  ['reader', org, { values: 'ok', console: 'auth.missing_permission' }],
  ['onePath', org, { values: 'ok', console: 'auth.missing_permission' }],
] as const)(
  '%s in %s sees at each process what the rights say of values and frames [A-05]',
  async (who, organization, expected) => {
    Object.assign(first.rights, people)
    const { fabric } = await forger()
    const sockets = []
    for (const platform of [first, second]) {
      const socket = await openLive(platform)
      sockets.push(socket)
      const token = Buffer.from(JSON.stringify(person(who, 'exor', organization)))
      socket.send({ op: 'hello', token: token.toString('base64url'), organization })
      await socket.next('ready')
      for (const [id, kind] of (['values', 'console'] as const).entries()) {
        socket.send({ op: 'sub', id, kind, device: deviceId, path: '**' })
        const answer = await socket.next('sub')
        expect(answer['code'] ?? 'ok').toBe(expected[kind])
      }
    }
    // What is told on the wire in the device's name reaches nobody who may not see it either.
    const subject = { subject: `live.${deviceId}`, message: z.unknown(), live: true as const }
    fabric.tell(subject, { node: 99, rows: [[force, Date.now(), 666, 0]] })
    const payload = Buffer.from(serialize({ v: 4.5, t: new Date() }))
    await client.publishAsync(topicOf(base, 'force'), payload, { qos: 1 })
    for (const { send, next, frames, ws } of sockets) {
      if (who === 'reader')
        await until(() => JSON.stringify(frames).includes('4.5'), 'the value of the device')
      send({ op: 'ping' })
      await next('pong')
      const shown = frames.filter(({ op }) => op === 'values' || op === 'frame')
      if (who !== 'reader') expect(shown).toEqual([])
      ws.close()
    }
    await fabric.close()
  },
)
