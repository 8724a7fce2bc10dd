import { everyAction } from '@longreach/authorization/capability'
import { compileRole } from '@longreach/authorization/compile'
import { person } from '@longreach/kit/testing'
import { deserialize } from 'bson'
import { sql } from 'kysely'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
  writeTopicOf,
} from '../platform-testing.ts'
import { deleteOldRequests } from './write-request-store.ts'

const org = 'exor.south'
const deviceId = newDeviceId()
const params = { org, deviceId }
const speed = 'Probe:1/speed'
const configuration = configurationText({
  speed: { type: 'double', mode: 'RW' },
  level: { type: 'double' },
})
let platform: TestPlatform
let client: MqttClient
let base: string
let clock = Date.now()
/** Values that the device was told to take. */
let received: number[] = []

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(clock))
  const words = { label: 'Speed', unit: 'rpm', description: '' }
  const limits = [{ path: speed, ...words, min: 0, max: 100 }]
  const facts = { realm: 'exor', orgResourceId: org, groups: [3], configuration, facts: limits }
  platform.register.devices.set(deviceId, { label: 'Press', ...facts })
  const device = await pair(platform, org, deviceId)
  base = device.base
  client = await connectDevice(device)
  await client.subscribeAsync(writeTopicOf(base, 'speed'))
  client.on('message', (topic, payload) => {
    if (!topic.endsWith('/speed')) return
    const { v } = deserialize(payload) as { v: number }
    received.push(v)
    void client.publishAsync(topicOf(base, 'speed'), JSON.stringify({ v, t: clock + 1 }))
  })
})
afterAll(async () => {
  await client.endAsync(true)
  await platform.close()
})

const ann = () => platform.member('ann', org)
const bea = () => platform.member('bea', org)
/** May change the organization, and so its policy. */
const chief = (where = org) => {
  const grants = { devices: everyAction, organizations: everyAction }
  platform.rights['chief'] = {
    ...platform.rights['chief'],
    [where]: { capability: { grants, deviceGroups: [] }, below: false },
  }
  return platform.as(person('chief', 'exor', where), platformContract)
}
const policy = (secondPerson: boolean, where = org) =>
  chief(where).setWritePolicy({ params: { org: where }, body: { secondPerson } })
const ask = (v: unknown, more: object = {}) =>
  ann().requestWrite({ params, body: { modelPath: speed, v, ...more } })
const write = (v: unknown) => ann().writeTags({ params, body: { data: [{ modelPath: speed, v }] } })
const refusal = (status: number, code: string) => ({ status, code: `platform.${code}` })

beforeEach(async () => {
  received = []
  await policy(true)
})

test('where two persons are needed nobody writes alone; the second approves and the device takes it', async () => {
  await expect(write(7)).rejects.toMatchObject(refusal(409, 'second_person_needed'))
  const asked = await ask(7, { reason: 'trial of batch 12' })
  expect(asked).toMatchObject({ state: 'waiting', own: true, v: 7, reason: 'trial of batch 12' })
  expect(received).toEqual([])
  const approve = (who: ReturnType<typeof ann>) =>
    who.approveWrite({ params: { ...params, id: asked.id }, body: {} })
  await expect(approve(ann())).rejects.toMatchObject(refusal(403, 'second_person_same'))
  const approved = await approve(bea())
  expect(approved).toMatchObject({ state: 'approved', result: 'confirmed', own: false })
  expect(received).toEqual([7])
  await expect(approve(bea())).rejects.toMatchObject(refusal(409, 'write_request_over'))
  const { data } = await ann().timeline({ params, query: { kind: 'write' } })
  expect(data[0]).toMatchObject({
    by: 'ann@exor',
    modelPath: speed,
    data: { to: 7, status: 'confirmed', reason: 'trial of batch 12', approvedBy: 'bea@exor' },
  })
})

test('of two who approve at once one writes, and the value goes out once', async () => {
  const { id } = await ask(8)
  const approve = (who: ReturnType<typeof ann>) =>
    who.approveWrite({ params: { ...params, id }, body: {} })
  const answers = await Promise.allSettled([approve(bea()), approve(chief())])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(received).toEqual([8])
})

test('a request that is refused, taken back or too old is written by nobody', async () => {
  const about = (id: string) => ({ params: { ...params, id } })
  const refused = await ask(9)
  expect(await bea().refuseWrite(about(refused.id))).toMatchObject({ state: 'refused' })
  const own = await ask(10)
  expect(await ann().refuseWrite(about(own.id))).toMatchObject({ state: 'refused', own: true })
  const old = await ask(11, { expiresInMs: 60_000 })
  clock += 60_001
  for (const { id } of [refused, own, old]) {
    const late = bea().approveWrite({ ...about(id), body: {} })
    await expect(late).rejects.toMatchObject(refusal(409, 'write_request_over'))
  }
  const listed = await ann().writeRequests({ params })
  expect(listed.find(({ id }) => id === old.id)?.state).toBe('expired')
  expect(received).toEqual([])
  const db = platform.database.db.withSchema('platform')
  await deleteOldRequests(db, new Date(clock + 91 * 86_400_000))
  expect(await ann().writeRequests({ params })).toEqual([])
})

test('a program and an administrator who acts as the asker are no second person', async () => {
  const { id } = await ask(12)
  const bound = { params: { ...params, id }, body: {} }
  bea()
  const robot = { ...person('bea', 'exor', org), serviceAccount: true }
  await expect(platform.as(robot, platformContract).approveWrite(bound)).rejects.toMatchObject(
    refusal(403, 'second_person_same'),
  )
  const acting = { ...person('bea', 'exor', org), impersonator: { sub: 'ann', username: 'ann' } }
  await expect(platform.as(acting, platformContract).approveWrite(bound)).rejects.toMatchObject(
    refusal(403, 'second_person_same'),
  )
  expect(received).toEqual([])
})

test('the policy of an organization above holds, and is set by who may change the organization', async () => {
  await policy(false)
  expect(await policy(true, 'exor')).toEqual({ secondPerson: true, from: 'exor' })
  expect(await ann().writePolicy({ params: { org } })).toEqual({ secondPerson: true, from: 'exor' })
  await expect(write(13)).rejects.toMatchObject(refusal(409, 'second_person_needed'))
  const set = ann().setWritePolicy({ params: { org }, body: { secondPerson: false } })
  await expect(set).rejects.toMatchObject({ status: 403 })
  await policy(false, 'exor')
  expect((await write(13)).data).toMatchObject([{ status: 'confirmed', value: 13 }])
})

test('limits of the model hold for every write and are told; a reason stands on the time-line', async () => {
  const [first] = await ann().series({ params })
  expect(first).toMatchObject({ modelPath: speed, label: 'Speed', min: 0, max: 100 })
  await expect(ask(101)).rejects.toMatchObject(refusal(422, 'bad_value'))
  await policy(false)
  await expect(write(-1)).rejects.toMatchObject(refusal(422, 'bad_value'))
  await ann().writeTags({
    params,
    body: { data: [{ modelPath: speed, v: 100 }], reason: 'end of shift' },
  })
  expect(received).toEqual([100])
  const { data } = await ann().timeline({ params, query: { kind: 'write' } })
  expect(data[0]?.data).toMatchObject({ to: 100, reason: 'end of shift' })
})

test('who may not see or write the path neither sees, asks nor approves', async () => {
  const { id } = await ask(14)
  const actions = ['read' as const, 'update' as const]
  const rules = [{ resource: 'devices' as const, actions, deviceGroup: 3 }]
  const none = { read: false, history: false, write: false }
  const capability = compileRole({ rules, paths: [{ ...none, path: 'Probe:1/level', read: true }] })
  platform.rights['dan'] = { [org]: { capability, below: false } }
  const dan = platform.as(person('dan', 'exor', org), platformContract)
  expect(await dan.writeRequests({ params })).toEqual([])
  const bound = { params: { ...params, id } }
  await expect(dan.approveWrite({ ...bound, body: {} })).rejects.toMatchObject({ status: 403 })
  await expect(dan.refuseWrite(bound)).rejects.toMatchObject({ status: 403 })
  const eve = platform.member('eve', 'acme')
  const foreign = { org: 'acme', deviceId }
  await expect(eve.writeRequests({ params: foreign })).rejects.toMatchObject({ status: 404 })
  await expect(eve.approveWrite({ params: { ...foreign, id }, body: {} })).rejects.toMatchObject({
    status: 404,
  })
})

test('what cannot be sent waits on, and can be approved when the device is back', async () => {
  const { id } = await ask(15)
  const bound = { params: { ...params, id }, body: {} }
  await client.unsubscribeAsync(writeTopicOf(base, 'speed'))
  await expect(bea().approveWrite(bound)).rejects.toMatchObject(refusal(409, 'device_offline'))
  await client.subscribeAsync(writeTopicOf(base, 'speed'))
  expect(await bea().approveWrite(bound)).toMatchObject({ state: 'approved', result: 'confirmed' })
  expect(received).toEqual([15])
})

test('requests to write end with their device', async () => {
  const id = newDeviceId()
  const facts = { label: 'Saw', realm: 'exor', orgResourceId: org, groups: [3], configuration }
  platform.register.devices.set(id, facts)
  const { db } = platform.database
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from platform.write_request where device_id = ${id}`.execute(db)
    return rows[0]?.count
  }
  const body = { modelPath: speed, v: 16 }
  await ann().requestWrite({ params: { org, deviceId: id }, body })
  expect(await count()).toBe(1)
  await platform.register.remove(db, id)
  await until(async () => (await count()) === 0 || undefined, 'the requests to be deleted')
})
