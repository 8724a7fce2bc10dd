import type { Capability } from '@longreach/authorization/capability'
import { compileRole } from '@longreach/authorization/compile'
import type { RolePath } from '@longreach/authorization/path-grants'
import { publishAll } from '@longreach/kit/events'
import { person } from '@longreach/kit/testing'
import { timelineRecorded } from '@longreach/mappings/time-line-contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from './contract.ts'
import { openLive } from './live/live-testing.ts'
import {
  allOnDevices,
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from './platform-testing.ts'

const org = 'exor'
const deviceId = newDeviceId()
const params = { org, deviceId }
const start = 1_700_000_000_000
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 100, recheckMs: 50 })
  const configuration = configurationText({
    speed: { type: 'double', mode: 'RW' },
    level: { type: 'double', mode: 'RW' },
    recipe: { type: 'string', mode: 'RW' },
  })
  platform.register.devices.set(deviceId, {
    label: 'Tank',
    realm: 'exor',
    orgResourceId: org,
    groups: [3],
    configuration,
  })
  const data = (values: (number | string)[]) =>
    values.map((v, at): [number, unknown] => [start + at * 1_000, v])
  await platform.member('owner', org).bulkInsertTags({
    params: { org },
    query: {},
    body: [
      { deviceId, modelPath: 'Probe:1/speed', data: data([1, 2, 3]) },
      { deviceId, modelPath: 'Probe:1/level', data: data([4, 5, 6]) },
      { deviceId, modelPath: 'Probe:1/recipe', data: data(['secret-a', 'secret-b']) },
    ],
  })
})
afterAll(() => platform.close())

const none = { read: false, history: false, write: false }
const rules = [{ resource: 'devices', actions: ['read', 'update'], deviceGroup: 3 }]
const limited = (...paths: RolePath[]): Capability => compileRole({ rules, paths })

/** A person whose role gives these paths on devices of group 3. */
function withPaths(sub: string, ...paths: RolePath[]) {
  platform.rights[sub] = { [org]: { capability: limited(...paths), below: false } }
  return clientOf(sub)
}
const clientOf = (sub: string) => platform.as(person(sub, 'exor', org), platformContract)

const answer = async (reply: Promise<unknown>) =>
  (await reply) as { modelPath: string; data: [number, unknown][] }[]
const named = (answers: { modelPath: string; data: [number, unknown][] }[]) =>
  Object.fromEntries(
    answers.map(({ modelPath, data }) => [modelPath, data.map(([, value]) => value)]),
  )

test('of the past comes what the role gives, by wildcard and by name [A-03 in part]', async () => {
  const ann = withPaths('ann', { ...none, path: 'Probe:*/speed', history: true })
  const query = { since: start - 1 }
  expect(named(await answer(ann.tags({ params, query })))).toEqual({ 'Probe:1/speed': [1, 2, 3] })
  const byName = { since: start - 1, modelPath: 'Probe:1/recipe' }
  expect(await answer(ann.tags({ params, query: byName }))).toEqual([])
  const sources = ['Probe:1/speed', 'Probe:1/level'].map((modelPath) => ({ deviceId, modelPath }))
  const asked = ann.queryTags({ params: { org }, body: { sources, ...query } })
  expect(named(await answer(asked))).toEqual({ 'Probe:1/speed': [1, 2, 3] })
})

test('who reads only live values sees the newest one and no figures [A-03 in part]', async () => {
  const ben = withPaths('ben', { ...none, path: '**/level', read: true })
  const raw = await answer(ben.tags({ params, query: { since: start - 1 } }))
  expect(named(raw)).toEqual({ 'Probe:1/level': [6] })
  const aggregation = { type: 'count', sampling: { size: 1, unit: 'days' } } as const
  const sources = [{ deviceId, modelPath: '**' }]
  const body = { sources, since: start - 1, to: start + 60_000, aggregation }
  const figures = ben.queryTags({ params: { org }, body })
  expect(named(await answer(figures))).toEqual({ 'Probe:1/level': [6] })
  const series = await ben.series({ params })
  expect(series.map(({ modelPath }) => modelPath)).toEqual(['Probe:1/level'])
  expect(series[0]?.last?.v).toBe(6)
})

test('other paths are neither written nor told; read ones are refused by name [A-03 in part]', async () => {
  const cleo = withPaths(
    'cleo',
    { ...none, path: 'Probe:1/speed', write: true },
    { ...none, path: 'Probe:1/level', read: true },
  )
  const write = (modelPath: string) =>
    cleo.writeTags({ params, body: { data: [{ modelPath, v: 1 }], timeoutMs: 0 } })
  await expect(write('Probe:1/recipe')).rejects.toMatchObject({ code: 'platform.no_such_path' })
  await expect(write('Probe:1/none')).rejects.toMatchObject({ code: 'platform.no_such_path' })
  await expect(write('Probe:1/level')).rejects.toMatchObject({
    status: 403,
    code: 'platform.path_not_allowed',
  })
  // The one that may be written gets as far as the device, which is away.
  await expect(write('Probe:1/speed')).rejects.toMatchObject({ code: 'platform.device_offline' })
  const both = ['Probe:1/speed', 'Probe:1/level'].map((modelPath) => ({ modelPath, v: 1 }))
  await expect(
    cleo.writeTags({ params, body: { data: both, timeoutMs: 0 } }),
  ).rejects.toMatchObject({ status: 403 })
  const bulk = (modelPath: string) =>
    cleo.bulkInsertTags({
      params: { org },
      query: {},
      body: [{ deviceId, modelPath, data: [[start + 9_000, 9]] }],
    })
  await expect(bulk('Probe:1/level')).rejects.toMatchObject({ status: 403 })
  expect(await bulk('Probe:1/speed')).toEqual({ inserted: 1, skipped: 0 })
})

test('what would tell every path is kept from who has some: console, configuration, tags [A-03 in part]', async () => {
  const dan = withPaths('dan', { path: 'Probe:1/speed', read: true, history: true, write: true })
  await expect(dan.console({ params })).rejects.toMatchObject({ status: 403 })
  await expect(dan.syncStatus({ params })).rejects.toMatchObject({ status: 403 })
  expect(await dan.configuration({ params })).toMatchObject({
    configurationJson: null,
    configurationFromDevice: null,
  })
  expect(await dan.availableTags({ params })).toEqual([])
  const owner = platform.member('owner', org)
  expect((await owner.configuration({ params })).configurationJson).not.toBe(null)
})

test('another role without paths gives all of them back [A-03 in part]', async () => {
  const paths = limited({ ...none, path: 'Probe:1/speed', read: true })
  const free = compileRole({ rules: [{ ...rules[0]!, actions: ['read'] }] })
  const capability = { ...free, deviceGroups: free.deviceGroups, paths: paths.paths ?? [] }
  platform.rights['eve'] = { [org]: { capability, below: false } }
  expect(await clientOf('eve').series({ params })).toHaveLength(3)
})

test('outside of its device group a role with paths gives nothing [A-03 in part]', async () => {
  const capability = compileRole({
    rules: [{ ...rules[0]!, deviceGroup: 99 }],
    paths: [{ ...none, path: '**', read: true }],
  })
  platform.rights['fay'] = { [org]: { capability, below: false } }
  await expect(clientOf('fay').series({ params })).rejects.toMatchObject({ status: 404 })
})

test('the live socket brings those paths only, and follows a change of rights [A-03 in part] [C-22 in part]', async () => {
  withPaths('gus', { ...none, path: 'Probe:1/speed', read: true })
  const client = await connectDevice(await pair(platform, org, deviceId))
  const socket = await openLive(platform, platform.site.origin)
  socket.send({ op: 'hello', token: platform.tokenOf('gus', org), organization: org })
  await socket.next('ready')
  socket.send({ op: 'sub', id: 1, kind: 'values', device: deviceId, path: '**' })
  await socket.next('sub')
  const seen: unknown[] = []
  const publish = (name: string, v: unknown) =>
    client.publishAsync(topicOf(`exor/${deviceId}`, name), JSON.stringify({ v, t: Date.now() }), {
      qos: 1,
    })
  const values = () => {
    for (const frame of socket.frames.splice(0)) seen.push(...(frame.v ?? []))
    return seen as [number, string, number, unknown][]
  }
  const sees = (v: unknown) =>
    until(() => values().find((row) => row[3] === v), `the value ${String(v)}`)
  await publish('recipe', 'secret-c')
  await publish('speed', 11)
  await sees(11)
  withPaths('gus', { ...none, path: 'Probe:1/level', read: true })
  await until(async () => {
    await publish('level', 12)
    return values().find((row) => row[3] === 12)
  }, 'the level after the change')
  await publish('speed', 13)
  await publish('level', 14)
  await sees(14)
  expect(values().map((row) => row[3])).not.toContain(13)
  expect(JSON.stringify(values())).not.toContain('secret')
  socket.ws.close()
  await client.endAsync()
})

test('in an organization without IoT nobody reads or writes a value (attack 65) [A-03 in part]', async () => {
  const dora = clientOf('dora')
  const all = { capability: allOnDevices, below: false }
  platform.rights['dora'] = { [org]: all }
  const query = { since: start - 1 }
  expect(await answer(dora.tags({ params, query }))).toHaveLength(3)
  platform.rights['dora'] = { [org]: { ...all, dataEnabled: false } }
  expect(await answer(dora.tags({ params, query }))).toEqual([])
  expect(await dora.series({ params })).toEqual([])
  const write = dora.writeTags({
    params,
    body: { data: [{ modelPath: 'Probe:1/speed', v: 1 }], timeoutMs: 0 },
  })
  await expect(write).rejects.toMatchObject({ status: 422, code: 'platform.no_such_path' })
  const rows = [{ deviceId, modelPath: 'Probe:1/speed', data: [[start, 9]] as [number, unknown][] }]
  const bulk = dora.bulkInsertTags({ params: { org }, query: {}, body: rows })
  await expect(bulk).rejects.toMatchObject({ status: 422, code: 'platform.no_such_path' })
})

test('by its label and by its group a device tells no more than by its id [A-03 in part]', async () => {
  const query = { since: start - 1 }
  const ida = withPaths('ida', { ...none, path: 'Probe:1/speed', history: true })
  const labelled = ida.tagsByName({ params: { org, name: 'Tank' }, query })
  expect(Object.keys(named(await answer(labelled)))).toEqual(['Probe:1/speed'])
  const grouped = ida.tagsOfGroup({ params: { org, group: '3' }, query })
  expect(Object.keys(named(await answer(grouped)))).toEqual(['Probe:1/speed'])
})

test('of alarms the time-line and the log of all devices tell what the list of alarms would [R-20 in part] [A-03 in part]', async () => {
  const moment = (name: string, more: object, kind: 'alarm' | 'alarmAction' = 'alarm') => ({
    deviceId,
    orgResourceId: org,
    at: new Date(start),
    kind,
    data: { alarm: name, name, severity: 5, change: 'raised', ...more },
  })
  await platform.database.db
    .transaction()
    .execute((tx) =>
      publishAll(tx, timelineRecorded, [
        moment('on speed', { path: 'Probe:1/speed', otherPaths: [] }),
        moment('on speed, acknowledged', { path: 'Probe:1/speed' }, 'alarmAction'),
        moment('on both', { path: 'Probe:1/speed', otherPaths: ['Probe:1/level'] }),
        moment('on level', { path: 'Probe:1/level', otherPaths: [] }),
        moment('of no path', { otherPaths: [] }),
        moment('of the device', {}),
      ]),
    )
  const namesFor = async (sub: string, query: object = {}) => {
    const told = [
      await clientOf(sub).timeline({ params, query: { kind: ['alarm', 'alarmAction'] } }),
      await clientOf(sub).timelineOfDevices({ params: { org }, query }),
    ]
    const [one, all] = told.map(({ data }) =>
      data
        .filter(({ kind }) => kind.startsWith('alarm'))
        .map(({ data: { name } }) => name)
        .toSorted(),
    )
    if (Object.keys(query).length === 0) expect(all).toEqual(one)
    return all
  }
  const readsAlarms = { resource: 'alarms', actions: ['read'], deviceGroup: null }
  const right = (sub: string, capability: Capability) => {
    platform.rights[sub] = { [org]: { capability, below: false } }
  }
  right('all', compileRole({ rules: [...rules, readsAlarms] }))
  const arrived = async () => {
    const { data } = await clientOf('all').timelineOfDevices({ params: { org }, query: {} })
    return data.filter(({ kind }) => kind.startsWith('alarm')).length === 6
  }
  await until(arrived, 'the entries')
  expect(await namesFor('all')).toHaveLength(6)
  const paths = [{ ...none, path: 'Probe:1/speed', read: true }]
  right('some', compileRole({ rules: [...rules, readsAlarms], paths }))
  const shown = ['of no path', 'on speed', 'on speed, acknowledged']
  expect(await namesFor('some')).toEqual(shown)
  right('none', compileRole({ rules }))
  expect(await namesFor('none')).toEqual([])
  // A page that ends at an entry that is not shown does not say what it holds.
  for (const text of ['of the device', 'on both']) {
    const page = await clientOf('some').timelineOfDevices({
      params: { org },
      query: { text, limit: 1 },
    })
    expect([text, page]).toEqual([text, { data: [], next: null }])
  }
})
