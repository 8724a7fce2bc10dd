import { everyAction } from '@longreach/authorization/capability'
import { compileRole } from '@longreach/authorization/compile'
import { person } from '@longreach/kit/testing'
import type { Kysely } from 'kysely'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentDb, saveHealth } from '../agents/agent-store.ts'
import { platformContract } from '../contract.ts'
import { insertMoments, type MomentDb } from '../moments/moment-store.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'

const [top, org, elsewhere] = ['exor', 'exor.south', 'exor.north']
const [press, oven] = [newDeviceId(), newDeviceId()]
const [speed, level] = ['Probe:1/speed', 'Probe:1/level']
const dayMs = 86_400_000
const configuration = configurationText({
  speed: { type: 'double', mode: 'RW' },
  level: { type: 'double', mode: 'RW' },
})
let platform: TestPlatform
let clock = Date.now()
const clients: MqttClient[] = []

/** Gives a person all rights on devices in an organization and below. */
function inTree(sub: string, where: string) {
  const capability = { grants: { devices: everyAction }, deviceGroups: [] }
  const right = { capability, below: true, capabilityBelow: capability }
  platform.rights[sub] = { ...platform.rights[sub], [where]: right }
  return platform.as(person(sub, 'exor', where), platformContract)
}
const overviewOf = async (sub: string, where = org) =>
  platform.member(sub, where).overview({ params: { org: where } })
const inTop = (sub: string) => inTree(sub, top).overview({ params: { org: `${top}.*` } })

beforeAll(async () => {
  platform = await testPlatform({ graceMs: 10 }, () => new Date(clock))
  const facts = { realm: 'exor', groups: [3], configuration }
  platform.register.devices.set(press, { label: 'Press', orgResourceId: org, ...facts })
  platform.register.devices.set(oven, { label: 'Oven', orgResourceId: elsewhere, ...facts })
  for (const [id, where] of [
    [press, org],
    [oven, elsewhere],
  ] as const) {
    const device = await pair(platform, where, id)
    const client = await connectDevice(device)
    await until(async () => {
      const body = { deviceIds: [id] }
      const { data } = await platform
        .member('ann', where)
        .activity({ params: { org: where }, body })
      return data[0]?.connected
    }, 'it is connected')
    clients.push(client)
  }
})
afterAll(() => platform.close())

test('sources that fail are told while their gateway is connected', async () => {
  const source = { type: 's7', tags: 4, badTags: 4, rate: 0, errors: 9 }
  const health = {
    at: clock,
    sources: [
      { ...source, name: 'plc', state: 'failed', lastError: 'no route to host' },
      { ...source, name: 'meter', state: 'ok' },
    ],
  } as never
  const db = platform.database.db.withSchema('platform') as unknown as Kysely<AgentDb>
  await saveHealth(db, { deviceId: press, health, now: new Date(clock) })
  expect((await overviewOf('ann')).sources).toEqual({
    total: 1,
    items: [
      {
        deviceId: press,
        label: 'Press',
        orgResourceId: org,
        source: 'plc',
        type: 's7',
        state: 'failed',
        error: 'no route to host',
        at: clock,
      },
    ],
  })
  expect((await overviewOf('ann', elsewhere)).sources.total).toBe(0)
})

test('a device that was lost is told where it belongs, for a day', async () => {
  for (const client of clients) await client.endAsync(true)
  const { lost } = await until(async () => {
    const answer = await overviewOf('ann')
    return answer.lost.total > 0 ? answer : undefined
  }, 'the line is lost')
  const at = expect.any(Number)
  const device = { deviceId: press, label: 'Press', orgResourceId: org }
  expect(lost).toEqual({ total: 1, items: [{ ...device, at }] })
  const all = await until(async () => {
    const answer = await inTop('owner')
    return answer.lost.total === 2 ? answer : undefined
  }, 'both lines are lost')
  expect(all.lost.items.map(({ label }) => label).toSorted()).toEqual(['Oven', 'Press'])
  const stranger = platform.member('eve', 'other')
  expect((await stranger.overview({ params: { org: 'other' } })).lost.total).toBe(0)
  clock += dayMs + 1_000
  const later = await inTop('owner')
  expect(later.lost).toEqual({ total: 0, items: [] })
  // The gateway of the source that failed is not there any more.
  expect(later.sources.total).toBe(0)
})

test('a write that waits is told to others who may write the path, and not to who asked', async () => {
  const grants = { devices: everyAction, organizations: everyAction }
  platform.rights['chief'] = { [org]: { capability: { grants, deviceGroups: [] }, below: false } }
  const chief = platform.as(person('chief', 'exor', org), platformContract)
  await chief.setWritePolicy({ params: { org }, body: { secondPerson: true } })
  const on = { org, deviceId: press }
  const body = { modelPath: speed, v: 7, reason: 'trial' }
  const { id } = await platform.member('ann', org).requestWrite({ params: on, body })
  expect((await overviewOf('ann')).approvals).toEqual([])
  expect((await overviewOf('bea')).approvals).toEqual([
    expect.objectContaining({ id, deviceId: press, modelPath: speed, v: 7, by: 'ann@exor' }),
  ])
  expect((await inTop('owner')).approvals).toHaveLength(1)
  const reader = { grants: { devices: 1 }, deviceGroups: [] }
  platform.rights['rita'] = { [org]: { capability: reader, below: false } }
  const rita = platform.as(person('rita', 'exor', org), platformContract)
  expect((await rita.overview({ params: { org } })).approvals).toEqual([])
  await platform.member('bea', org).refuseWrite({ params: { ...on, id } })
  expect((await overviewOf('bea')).approvals).toEqual([])
})

test('the newest writes are told with old and new value, on the paths that the reader may see', async () => {
  const db = platform.database.db.withSchema('platform') as unknown as Kysely<MomentDb>
  const at = new Date(clock)
  const wrote = (path: string, to: number, where = org) => ({
    device_id: press,
    org: where,
    at,
    kind: 'write',
    path,
    by_name: 'ann',
    made_at: at,
    data: { from: 1, to, status: 'confirmed', reason: 'warmer' },
  })
  await insertMoments(db, [wrote(speed, 2), wrote(level, 3)])
  const { writes } = await overviewOf('bea')
  expect(writes.map(({ modelPath }) => modelPath).toSorted()).toEqual([level, speed])
  expect(writes.find(({ modelPath }) => modelPath === speed)).toEqual({
    deviceId: press,
    label: 'Press',
    orgResourceId: org,
    modelPath: speed,
    from: 1,
    to: 2,
    status: 'confirmed',
    reason: 'warmer',
    by: 'ann',
    approvedBy: null,
    at: clock,
  })
  const rules = [{ resource: 'devices', actions: ['read'], deviceGroup: null }]
  const none = { deviceGroup: null, read: false, write: false, history: false }
  const capability = compileRole({ rules, paths: [{ ...none, path: level, read: true }] })
  platform.rights['leo'] = { [org]: { capability, below: false } }
  const leo = platform.as(person('leo', 'exor', org), platformContract)
  expect((await leo.overview({ params: { org } })).writes.map((one) => one.modelPath)).toEqual([
    level,
  ])
  expect((await overviewOf('ann', elsewhere)).writes).toEqual([])
})

test('writes and requests have the words of the model, and a path without words its path alone', async () => {
  const words = { label: 'Speed', unit: 'm/min', description: '' }
  await platform.change(press, {
    facts: [
      { path: 'Probe:1', label: 'Press', unit: '', description: '' },
      { path: speed, ...words },
    ],
  })
  await platform.settle()
  const { writes } = await overviewOf('bea')
  const told = writes.map(({ modelPath, pathLabel, group, unit }) => [
    modelPath,
    pathLabel,
    group,
    unit,
  ])
  expect(told.toSorted()).toEqual([
    [level, undefined, 'Press', undefined],
    [speed, 'Speed', 'Press', 'm/min'],
  ])
  const on = { org, deviceId: press }
  const { id } = await platform
    .member('ann', org)
    .requestWrite({ params: on, body: { modelPath: speed, v: 7, reason: 'trial' } })
  expect((await overviewOf('bea')).approvals).toEqual([
    expect.objectContaining({ id, label: 'Press', pathLabel: 'Speed', unit: 'm/min' }),
  ])
  await platform.member('bea', org).refuseWrite({ params: { ...on, id } })
})

test('credentials are told before they end, until there are newer ones', async () => {
  const titles = async () =>
    (await overviewOf('ann')).expiring.items.map(({ kind, deviceId }) => `${kind} ${deviceId}`)
  expect(await titles()).toEqual([])
  clock += 354 * dayMs
  expect(await titles()).toEqual([`certificate ${press}`])
  const params = { org, deviceId: press }
  const validForS = (3 * dayMs) / 1_000
  await platform.member('ann', org).issueActivationKey({ params, body: { validForS } })
  expect(await titles()).toEqual([`activationKey ${press}`, `certificate ${press}`])
  await pair(platform, org, press)
  expect(await titles()).toEqual([])
})
