import { alarmsContract } from '@longreach/alarms/contract'
import { everyAction } from '@longreach/authorization/capability'
import { coreContract } from '@longreach/core/contract'
import { publish, publishAll } from '@longreach/kit/events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDeviceId, testPlatform, type TestPlatform } from '../platform-testing.ts'
import { openLive } from './live-testing.ts'

const org = 'exor'
const [oven, below, foreign] = [newDeviceId(), newDeviceId(), newDeviceId()]
const rights = { devices: everyAction, alarms: everyAction }
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform()
  const facts = { realm: 'exor', groups: [3], configuration: null }
  const { devices } = platform.register
  devices.set(oven, { label: 'Oven', orgResourceId: org, ...facts })
  devices.set(below, { label: 'Below', orgResourceId: 'exor.italy', ...facts })
  devices.set(foreign, { label: 'Foreign', orgResourceId: 'acme', ...facts })
  platform.rights['ann'] = {
    [org]: { capability: { grants: rights, deviceGroups: [] }, below: true },
  }
  platform.rights['bob'] = {
    [org]: {
      capability: {
        grants: { alarms: everyAction },
        deviceGroups: [{ mask: everyAction, groups: [9] }],
      },
      below: true,
    },
  }
  platform.rights['cara'] = {
    [org]: { capability: { grants: { devices: everyAction }, deviceGroups: [] }, below: true },
  }
})
afterAll(() => platform.close())

async function enter(sub: string) {
  const socket = await openLive(platform)
  socket.send({ op: 'hello', token: platform.tokenOf(sub, org), organization: org })
  await socket.next('ready')
  return socket
}
const idOf = (index: number) => Buffer.alloc(16, `alarm ${index}`).toString('base64url')
const change = (
  deviceId: string,
  orgResourceId: string,
  index = 1,
  paths: string[] | null = null,
) => ({
  id: idOf(index),
  deviceId,
  orgResourceId,
  kind: 'raised' as const,
  severity: 5,
  isOpen: true,
  at: 1_000,
  paths,
})
const tell = (...changes: ReturnType<typeof change>[]) =>
  platform.database.db
    .transaction()
    .execute((tx) => publishAll(tx, alarmsContract.events.alarmsChanged, changes))

test('a change of an alarm reaches those who may see it, and nobody else [C-22 in part]', async () => {
  const [ann, bob, cara] = [await enter('ann'), await enter('bob'), await enter('cara')]
  for (const { send } of [ann, bob, cara]) {
    send({ op: 'sub', id: 1, kind: 'alarms', device: '*' })
    send({ op: 'sub', id: 2, kind: 'alarms', device: oven })
    send({ op: 'sub', id: 3, kind: 'alarms', device: '*', below: true })
    send({ op: 'sub', id: 4, kind: 'alarms', device: foreign })
  }
  const answers = async ({ next }: typeof ann) => {
    const all = [await next('sub'), await next('sub'), await next('sub'), await next('sub')]
    return all.map(({ ok, code }) => code ?? ok)
  }
  expect(await answers(ann)).toEqual([true, true, true, 'platform.not_found'])
  expect(await answers(bob)).toEqual([true, 'platform.not_found', true, 'platform.not_found'])
  expect(await answers(cara)).toEqual([true, 'auth.missing_permission', true, 'platform.not_found'])
  await tell(change(foreign, 'acme'), change(below, 'exor.italy', 2))
  const shown = { kind: 'raised', severity: 5, open: true, at: 1_000 }
  expect(await ann.next('alarms')).toEqual({
    op: 'alarms',
    id: 3,
    changes: [{ alarm: idOf(2), device: below, ...shown }],
  })
  await tell(change(oven, org, 3))
  const frames = [await ann.next('alarms'), await ann.next('alarms'), await ann.next('alarms')]
  expect(frames.map(({ id }) => id).toSorted()).toEqual([1, 2, 3])
  for (const { frames: got } of [bob, cara])
    expect(got.filter(({ op }) => op === 'alarms')).toEqual([])
  for (const { ws } of [ann, bob, cara]) ws.close()
})

test('who may read some paths hears of alarms on these paths alone', async () => {
  platform.rights['pia'] = {
    [org]: {
      capability: {
        grants: { alarms: everyAction },
        deviceGroups: [],
        paths: [{ mask: everyAction, groups: [3], read: ['Oven:1/heat'], history: [], write: [] }],
      },
      below: false,
    },
  }
  const pia = await enter('pia')
  for (const [id, device] of ['*', oven].entries())
    pia.send({ op: 'sub', id, kind: 'alarms', device })
  expect([(await pia.next('sub')).ok, (await pia.next('sub')).ok]).toEqual([true, true])
  await tell(
    change(oven, org, 1, ['Oven:1/speed']),
    change(oven, org, 2, ['Oven:1/heat', 'Oven:1/speed']),
    change(oven, org, 3),
    change(oven, org, 4, ['Oven:1/heat']),
    change(oven, org, 5, []),
  )
  const heard = new Set<string>()
  while (heard.size < 2) {
    const { changes } = await pia.next('alarms')
    for (const { alarm } of changes as { alarm: string }[]) heard.add(alarm) // as the socket sends them
  }
  expect([...heard]).toEqual([idOf(4), idOf(5)])
  pia.ws.close()
})

test('more changes than a frame holds come as a request to load the list again', async () => {
  const ann = await enter('ann')
  ann.send({ op: 'sub', id: 1, kind: 'alarms', device: '*' })
  await ann.next('sub')
  await tell(...Array.from({ length: 450 }, (_, index) => change(oven, org, index)))
  const seen = new Set<string>()
  for (let isWhole = false; !isWhole;) {
    const frame = await ann.next('alarms')
    const changes = frame['changes'] as { alarm: string }[] // as the socket sends them
    expect(changes.length).toBeLessThanOrEqual(200)
    for (const { alarm } of changes) seen.add(alarm)
    isWhole = frame['reload'] === true || seen.size === 450
  }
  ann.ws.close()
})

test('rights that are taken away end what a subscription shows', async () => {
  const ann = await enter('ann')
  ann.send({ op: 'sub', id: 1, kind: 'alarms', device: oven })
  await ann.next('sub')
  platform.rights['ann'] = {
    [org]: { capability: { grants: { devices: everyAction }, deviceGroups: [] }, below: true },
  }
  await platform.database.db
    .transaction()
    .execute((tx) => publish(tx, coreContract.events.permissionsChanged, { resourceId: org }))
  expect(await ann.next('end')).toMatchObject({ id: 1, code: 'auth.missing_permission' })
  ann.ws.close()
})
