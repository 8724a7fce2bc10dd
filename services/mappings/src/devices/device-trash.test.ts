import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testNow, testServer, type TestServer } from '@longreach/kit/testing'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { purgeDueDevices } from './device-purge.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const page = { organization, page: 0, pageSize: 100 }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], mappingsContract)
const asCore = (who: Who) => server.as(seeded.people[who], coreContract)
const create = (label: string, more: object = {}) =>
  as('administrator').createDevice({ query, body: { label, ...more } })
const remove = (id: string, who: Who = 'administrator') =>
  as(who).deleteDevice({ params: { id }, query })
const restore = (id: string, body: object = {}, who: Who = 'administrator') =>
  as(who).restoreDevice({ params: { id }, query, body })
const inTrash = async (who: Who = 'administrator') =>
  (await as(who).deletedDevices({ query: page })).data.map(({ id }) => id)
const settled = async () => {
  await server.settle()
  await server.settle()
}

test('a deleted device is seen nowhere but in the trash [C-26] [C-13]', async () => {
  const { id } = await create('Away')
  await settled()
  await remove(id)
  await settled()
  const params = { id }
  await expect(as('administrator').device({ params, query })).rejects.toMatchObject({ status: 404 })
  expect((await as('administrator').devices({ query: { ...page, search: 'Away' } })).data).toEqual(
    [],
  )
  const core13 = asCore('administrator')
  const there = { params: { org: organization }, query: { deviceLabel: 'Away' } }
  expect((await core13.coreDevices(there)).content).toEqual([])
  const own = { params: { org: organization }, query: { name: 'Away' } }
  expect((await core13.securityPolicies(own)).content).toEqual([])
  const told = server.asService(mappingsContract)
  await expect(told.deviceForPlatform({ params: { deviceId: id } })).rejects.toMatchObject({
    status: 404,
  })
  const { data } = await as('administrator').deletedDevices({ query: page })
  expect(data.find((one) => one.id === id)).toMatchObject({
    label: 'Away',
    deleted: true,
    deletedAt: testNow.getTime(),
    purgedAt: testNow.getTime() + 30 * 24 * 3_600_000,
  })
  await expect(inTrash('viewer')).rejects.toMatchObject({ status: 403 })
  await expect(inTrash('foreigner')).rejects.toMatchObject({ status: 404 })
})

test('a restored device is as it was, with its groups and rights [E-06]', async () => {
  const made = await create('Back', { tags: ['x'], position: { lat: 46.5, lon: 7.1 } })
  await settled()
  const group = await asCore('administrator').createSecurityPolicy({
    params: { org: organization },
    body: { name: 'Line 1' },
  })
  await asCore('administrator').addPolicyDevices({
    params: { org: organization, policy: String(group.id), devices: made.id },
  })
  await settled()
  const read = async () =>
    (await as('administrator').device({ params: { id: made.id }, query })).value
  const before = await read()
  expect(before.groups).toContain(group.id)
  await remove(made.id)
  await settled()
  await restore(made.id)
  await settled()
  expect(await read()).toEqual(before)
  const own = { params: { org: organization }, query: { deviceId: made.id } }
  const { content } = await asCore('administrator').securityPolicies(own)
  expect(content.map(({ name }) => name)).toEqual(expect.arrayContaining(['Back', 'Line 1']))
  expect(content.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
    before.groups.filter((one) => content.some(({ id }) => id === one)),
  )
  await expect(restore(made.id)).rejects.toMatchObject({ status: 404 })
})

test('a name that is taken meanwhile is said, and another one can be given', async () => {
  const old = await create('Press 7')
  await remove(old.id)
  await create('Press 7')
  await expect(restore(old.id)).rejects.toMatchObject({
    status: 409,
    code: 'mappings.label_taken',
    details: { field: 'label', label: 'Press 7' },
  })
  const { value } = await restore(old.id, { label: 'Press 7 (old)' })
  // A name is taken in one organization, not in all.
  const free = await create('Press 8')
  await remove(free.id)
  const above = { organization: 'nordwerk' }
  await as('owner').createDevice({ query: above, body: { label: 'Press 8' } })
  expect((await restore(free.id)).value).toMatchObject({ label: 'Press 8', deleted: false })
  expect(value).toMatchObject({ id: old.id, label: 'Press 7 (old)', deleted: false })
})

test('who may not delete brings nothing back, and others find nothing there', async () => {
  const { id } = await create('Guarded')
  await remove(id)
  await expect(restore(id, {}, 'viewer')).rejects.toMatchObject({ status: 403 })
  await expect(restore(id, {}, 'foreigner')).rejects.toMatchObject({ status: 404 })
  const params = { id }
  await expect(
    as('neighbour').restoreDevice({ params, query: { organization: 'nordwerk.press' }, body: {} }),
  ).rejects.toMatchObject({ status: 404 })
  const both = await Promise.allSettled([restore(id), restore(id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a preset is free again when only devices in the trash have it', async () => {
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as('administrator').createModel({ query, body: { name: 'TM', data } })
  const t = {
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    datalink: { source: 'T' },
  }
  const tree = { type: 'object', instanceOf: 'TM:1.0.0', properties: { t } }
  const preset = await as('administrator').createPreset({ query, body: { name: 'TP', data: tree } })
  const { id } = await create('With preset', { presetId: preset.id })
  const params = { id: preset.id }
  await expect(as('administrator').deletePreset({ params, query })).rejects.toMatchObject({
    code: 'mappings.preset_in_use',
  })
  await remove(id)
  await as('administrator').deletePreset({ params, query })
  expect((await restore(id)).value.presetId).toBeNull()
})

test('after 30 days, or at once by hand, a device is gone for good', async () => {
  const [kept, due, now] = [await create('kept'), await create('due'), await create('now')]
  for (const { id } of [kept, due, now]) await remove(id)
  const { pool, db } = server.database
  await pool.query(
    "update mappings.device set deleted_at = deleted_at - interval '30 days' where id = $1",
    [due.id],
  )
  const deps = {
    db: db.withSchema('mappings') as never,
    now: () => testNow,
    log: pino({ level: 'silent' }),
  }
  await purgeDueDevices(deps)
  await as('administrator').purgeDevice({ params: { id: now.id }, query })
  await settled()
  const left = await inTrash()
  expect(left).toContain(kept.id)
  expect(left).not.toContain(due.id)
  expect(left).not.toContain(now.id)
  const events = await pool.query<{ payload: { deviceId: string } }>(
    "select payload from bus.event where topic = 'mappings.device_life' and payload ->> 'state' = 'purged'",
  )
  expect(events.rows.map(({ payload }) => payload.deviceId).toSorted()).toEqual(
    [due.id, now.id].toSorted(),
  )
})
