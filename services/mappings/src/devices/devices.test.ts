import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publish, publishAll } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { platformContract } from '@longreach/platform/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { Device } from '../search/device-fields-contract.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const page = { page: 0, pageSize: 100 }
const listed = { organization, ...page }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as('administrator').createModel({ query, body: { name: 'M', data } })
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const create = (label: string, more: object = {}) =>
  as('administrator').createDevice({ query, body: { label, ...more } })
const presetData = (source = 'Tag1') => ({
  type: 'object',
  instanceOf: 'M:1.0.0',
  properties: {
    t: { type: 'double', mode: 'R', historyPolicy: { enabled: true }, datalink: { source } },
  },
})
const createPreset = (name: string) =>
  as('administrator').createPreset({ query, body: { name, data: presetData() } })

const happened = async <T>(topic: string) => {
  const { rows } = await sql<{ payload: T }>`
    select payload from bus.event where topic = ${topic} order by id`.execute(server.database.db)
  return rows.map(({ payload }) => payload)
}
const changesOf = async (id: string) =>
  (await happened<{ deviceId: string; configurationChanged: boolean }>('mappings.device_changed'))
    .filter(({ deviceId }) => deviceId === id)
    .map(({ configurationChanged }) => configurationChanged)

test('a device is made with an id of 22 characters and answered with every key (trap 15) [C-26]', async () => {
  const device = await create('Every key', { serialNumber: 'S-1', description: 'here' })
  expect(device.deviceId).toMatch(/^[A-Za-z0-9_-]{22}$/)
  const { value } = await as('viewer').device({ params: { id: device.id }, query })
  expect(value).toEqual(device)
  const keys = Object.keys(Device.shape).filter((key) => key !== 'position')
  expect(Object.keys(value).toSorted()).toEqual(keys.toSorted())
  expect(value).toMatchObject({ connected: false, lastConnUpdateAt: 0, presetId: null })
  expect(await happened('mappings.device_created')).toContainEqual({
    deviceId: device.id,
    label: 'Every key',
    orgResourceId: organization,
  })
})

test('lists are pages in the order asked for, ten without a question [R-10]', async () => {
  for (let index = 0; index < 12; index++) {
    await create(`page ${String(index).padStart(2, '0')}`)
  }
  const response = await server.fetchAs(seeded.people.viewer)(
    `/svc/mappings/api/v1/devices/?organization=${organization}&search=page`,
  )
  expect(await response.json()).toMatchObject({
    number: 0,
    totalElements: 12,
    totalPages: 2,
    last: false,
    data: { length: 10 },
  })
  const asked = { organization, search: 'page', page: 1, pageSize: 5 }
  const { data, last } = await as('viewer').devices({
    query: { ...asked, orderBy: 'name', orderDir: 'desc' },
  })
  expect(data.map(({ label }) => label)).toEqual([6, 5, 4, 3, 2].map((n) => `page 0${n}`))
  expect(last).toBe(false)
  await expect(
    as('viewer').devices({ query: { ...listed, orderBy: 'json; drop' } }),
  ).rejects.toMatchObject({ status: 400, code: 'mappings.bad_order' })
})

test('devices are searched by expression, filters and attributes [C-26]', async () => {
  const one = await create('Search 100%', { tags: ['line 1'], serialNumber: 'X-77' })
  const other = await create('search two', { tags: ['line 2'] })
  await as('administrator').setAttribute({
    params: { id: one.id },
    query,
    body: { key: 'site', value: { floor: 3, name: 'Halle' } },
  })
  const found = async (data: string) => {
    const result = await as('viewer').searchDevices({ query, body: { data, ...page } })
    return result.data.map(({ id }) => id)
  }
  expect(await found('label ~= "search" and tags in ("line 1")')).toEqual([one.id])
  expect(await found('label == "search two" or serialNumber == "X-77"')).toEqual([one.id, other.id])
  expect(await found('attributes.site.floor >= 3')).toEqual([one.id])
  expect(await found('label ~= "search*" and attributes.site.name != "Halle"')).toEqual([other.id])
  expect(await found('label ~= "100%"')).toEqual([one.id])
  expect(await found('label ~= "_earch two"')).toEqual([])
  expect(await found(`label ~= "search" and not (deviceId == "${one.id}")`)).toEqual([other.id])
  expect(await found('label ~= "search" and creationDate > "2020-01-01T00:00:00Z"')).toHaveLength(2)
  expect(await found('label ~= ".*" and label ~= "^search .*"')).toEqual([one.id, other.id])
  expect(await found('label ~= "*100%"')).toEqual([one.id])
  expect(await found('label ~= "search.+t.o$"')).toEqual([other.id])
  const filtered = async (searchValue: string) => {
    const filters = { searchFields: ['tags', 'serialNumber'], searchValues: [searchValue] }
    const result = await as('viewer').searchDevices({ query, body: { ...page, filters } })
    return result.data.map(({ id }) => id)
  }
  expect(await filtered('x-77')).toEqual([one.id])
  expect(await filtered('x.77')).toEqual([])
  const existing = await as('viewer').devices({
    query: { ...listed, existingFields: ['attributes.site'] },
  })
  expect(existing.data.map(({ id }) => id)).toEqual([one.id])
})

test.each([
  ['nothing == 1', 0],
  ['label ==', 8],
  ['connected == "yes"', 0],
  ['creationDate > "soon"', 0],
  ['tags > "a"', 0],
])('the search %s is refused at its place [V-01]', async (data, position) => {
  await expect(
    as('viewer').searchDevices({ query, body: { data, ...page } }),
  ).rejects.toMatchObject({
    status: 400,
    code: 'mappings.bad_expression',
    details: { position, fault: 'expression_place', place: position + 1 },
  })
})

test('attributes are set one by one and taken away by null [E-06]', async () => {
  const { id } = await create('Attributes')
  const params = { id }
  const set = (key: string, value: number | number[]) =>
    as('administrator').setAttribute({ params, query, body: { key, value } })
  await Promise.all([set('a', 1), set('geoLocation', [47.1, 8.2])])
  const body = { key: '__proto__x', value: 'safe' }
  const patched = await as('administrator').updateDevice({ params, query, body })
  expect(patched.attributes).toEqual({
    a: 1,
    geoLocation: [47.1, 8.2],
    geoLocationLonLat: [8.2, 47.1],
    __proto__x: 'safe',
  })
  expect(patched.position).toEqual({ lat: 47.1, lon: 8.2 })
  expect(await as('viewer').attributeKeys({ query })).toEqual(
    expect.arrayContaining(['a', 'geoLocation']),
  )
  expect(await as('viewer').attributeValues({ params: { key: 'a' }, query })).toEqual(['1'])
  const gone = await as('administrator').setAttribute({
    params,
    query,
    body: { key: 'a', value: null },
  })
  expect(gone.attributes).not.toHaveProperty('a')
  const named = await as('administrator').updateDevice({
    params,
    query,
    body: { label: 'Renamed' },
  })
  expect(named.label).toBe('Renamed')
  await expect(
    as('administrator').setAttribute({
      params,
      query,
      body: { key: 'big', value: 'x'.repeat(70_000) },
    }),
  ).rejects.toMatchObject({ status: 422 })
})

test('a preset is given by the device alone and the platform is told (trap 10) [E-06]', async () => {
  const { id } = await create('With preset')
  const preset = await createPreset('Given')
  const assign = (who: keyof Seeded['people'], body: object, named: object = {}) =>
    as(who).assignPreset({ params: { id }, query: named, body })
  const configuration = await assign('administrator', { presetId: preset.id })
  expect(configuration).toMatchObject({ type: 'datamodel' })
  const facts = await server
    .asService(mappingsContract)
    .deviceForPlatform({ params: { deviceId: id } })
  expect(facts.configuration).toBe(JSON.stringify(configuration))
  expect(await changesOf(id)).toEqual([true])
  const { value } = await as('viewer').device({ params: { id }, query })
  expect(value).toMatchObject({ presetName: 'Given', modelName: 'M', modelVersion: '1.0.0' })

  await assign('administrator', { presetId: preset.id })
  expect(await changesOf(id)).toEqual([true])
  await assign('administrator', { presetId: null }, query)
  expect(await changesOf(id)).toEqual([true, true])
  for (const presetId of ['nothing', '']) {
    await expect(assign('administrator', { presetId })).rejects.toMatchObject({
      status: 422,
      code: 'mappings.no_such_preset',
    })
    const body = { label: 'Without', presetId }
    await expect(as('administrator').createDevice({ query, body })).rejects.toMatchObject({
      status: 422,
    })
  }
  await expect(assign('viewer', { presetId: preset.id })).rejects.toMatchObject({ status: 403 })
  await expect(assign('foreigner', { presetId: preset.id })).rejects.toMatchObject({ status: 404 })
  await expect(
    assign('neighbour', { presetId: null }, { organization: 'nordwerk.press' }),
  ).rejects.toMatchObject({ status: 404 })
})

test('the platform learns the words of the model, also of nested ones and arrays [C-20]', async () => {
  const kelvin = { type: 'double', label: 'Zone', unit: 'K', description: 'at the wall' }
  const inner = { type: 'object', instanceOf: 'Inner:2.0.0', properties: { t: kelvin } }
  const data = {
    type: 'object',
    properties: {
      plain: { type: 'double', min: 20, max: 250 },
      zones: { type: 'array', length: 2, item: inner },
      inner,
    },
  }
  await as('administrator').createModel({ query, body: { name: 'Worded:3.1.0', data } })
  const t = {
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    datalink: { source: 'T' },
  }
  const linked = { type: 'object', instanceOf: 'Worded:3.1.0', properties: { plain: t } }
  const preset = await as('administrator').createPreset({
    query,
    body: { name: 'Worded', data: linked },
  })
  const { id } = await create('Worded', { presetId: preset.id })
  const told = server.asService(mappingsContract)
  const { facts } = await told.deviceForPlatform({ params: { deviceId: id } })
  const words = { label: 'Zone', unit: 'K', description: 'at the wall' }
  expect(facts).toEqual([
    { path: 'Worded:3/plain', label: '', unit: '', description: '', min: 20, max: 250 },
    { path: 'Worded:3/zones[*]/t', ...words },
    { path: 'Worded:3/inner/t', ...words },
  ])
  const { id: bare } = await create('Bare')
  const none = await told.deviceForPlatform({ params: { deviceId: bare } })
  expect(none.facts).toEqual([])
})

test('a changed preset changes every device that has it, in one go', async () => {
  const preset = await createPreset('Changing')
  const [one, other] = [
    await create('c1', { presetId: preset.id }),
    await create('c2', { presetId: preset.id }),
  ]
  await as('administrator').updatePreset({
    params: { id: preset.id },
    query,
    body: { name: 'Changing', data: presetData('Other') },
  })
  for (const { id } of [one, other]) {
    expect(await changesOf(id)).toEqual([true])
    const { configuration } = await server
      .asService(mappingsContract)
      .deviceForPlatform({ params: { deviceId: id } })
    expect(configuration).toContain('"source":"Other"')
  }
})

test('what the platform tells of line and configuration is shown and counted', async () => {
  const preset = await createPreset('Counted')
  const { id } = await create('counted 1', { presetId: preset.id })
  await create('counted 2')
  const { db } = server.database
  await db.transaction().execute(async (tx) => {
    const at = Date.parse('2026-01-05T11:00:00Z')
    const { deviceConnection, configurationStatus } = platformContract.events
    await publish(tx, deviceConnection, { deviceId: id, connected: true, at })
    const status = { deviceId: id, sent: true, applied: false, error: 'refused', at }
    await publish(tx, configurationStatus, status)
  })
  await server.settle()
  const { value } = await as('viewer').device({ params: { id }, query })
  expect(value).toMatchObject({
    connected: true,
    lastConnUpdateAt: Date.parse('2026-01-05T11:00:00Z'),
    configurationSent: true,
    configurationApplied: false,
    configurationError: 'refused',
  })
  expect(await as('viewer').deviceCounts({ query: { organization, search: 'counted' } })).toEqual({
    total: 2,
    connected: 1,
    disconnected: 0,
    neverConnected: 1,
    withoutPreset: 1,
    configurationPending: 0,
    configurationError: 1,
  })
  const connected = await as('viewer').devices({ query: { ...listed, connected: 'true' } })
  expect(connected.data.map((one) => one.id)).toEqual([id])
})

test('of what the platform tells of devices at once, the last of each is shown', async () => {
  const [first, second] = [(await create('told 1')).id, (await create('told 2')).id]
  const at = Date.parse('2026-01-05T11:00:00Z')
  const { deviceConnection, configurationStatus } = platformContract.events
  const status = { sent: true, applied: false, error: null }
  await server.database.db.transaction().execute(async (tx) => {
    await publishAll(tx, deviceConnection, [
      { deviceId: first, connected: true, at },
      { deviceId: second, connected: true, at: at + 1 },
      { deviceId: first, connected: false, at: at + 2 },
    ])
    await publishAll(tx, configurationStatus, [
      { ...status, deviceId: first, error: 'refused', at },
      { ...status, deviceId: second, at },
      { ...status, deviceId: first, applied: true, at: at + 3 },
    ])
  })
  await server.settle()
  const shown = async (id: string) => (await as('viewer').device({ params: { id }, query })).value
  expect(await shown(first)).toMatchObject({
    connected: false,
    lastConnUpdateAt: at + 2,
    configurationApplied: true,
    configurationError: null,
    lastConfigUpdateAt: at + 3,
  })
  expect(await shown(second)).toMatchObject({
    connected: true,
    lastConnUpdateAt: at + 1,
    configurationApplied: false,
    lastConfigUpdateAt: at,
  })
})

test('groups of a device come from core, and the platform hears of it', async () => {
  const { id } = await create('grouped')
  // Core answers a new device with the groups that it begins in.
  await server.settle()
  await server.settle()
  const before = await changesOf(id)
  await server.database.db
    .transaction()
    .execute((tx) =>
      publish(tx, coreContract.events.deviceGroupsChanged, { deviceId: id, groups: [7, 9] }),
    )
  await server.settle()
  const { value } = await as('owner').device({ params: { id }, query })
  expect(value.groups).toEqual([7, 9])
  expect(await changesOf(id)).toEqual([...before, false])
})

test('a device is deleted once, also by two at the same moment', async () => {
  const { id } = await create('deleted')
  const remove = () => as('administrator').deleteDevice({ params: { id }, query })
  const results = await Promise.allSettled([remove(), remove()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 404 },
  })
  const told = await happened<{ deviceId: string; state: string }>('mappings.device_life')
  expect(told.filter(({ deviceId }) => deviceId === id)).toMatchObject([{ state: 'deleted' }])
  await expect(
    server.asService(mappingsContract).deviceForPlatform({ params: { deviceId: id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('other organizations see no device, parents see those below, and without permission nobody does', async () => {
  const { id } = await create('private')
  const params = { id }
  const elsewhere = { organization: 'nordwerk.press' }
  await expect(as('neighbour').device({ params, query: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('neighbour').deleteDevice({ params, query: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('foreigner').device({ params, query })).rejects.toMatchObject({ status: 404 })
  await expect(as('member').devices({ query: listed })).rejects.toMatchObject({ status: 403 })
  await expect(as('viewer').deleteDevice({ params, query })).rejects.toMatchObject({ status: 403 })
  const ids = async (who: keyof Seeded['people'], where: string) =>
    (
      await as(who).devices({ query: { ...listed, organization: where, search: 'private' } })
    ).data.map((one) => one.id)
  expect(await ids('owner', 'nordwerk.*')).toEqual([id])
  expect(await ids('owner', 'nordwerk')).toEqual([])
  expect(await ids('parentPlain', 'nordwerk.*')).toEqual([])
  expect(await ids('neighbour', 'nordwerk.press')).toEqual([])
  const scoped = await as('neighbour').searchDevices({
    query: elsewhere,
    body: { ...page, filters: { organizations: [organization] } },
  })
  expect(scoped.data).toEqual([])
})

test('making a device begins its time-line, and other services are told its facts [C-26][C-21]', async () => {
  const { id } = await create('Beginner', { serialNumber: 'S-9', position: { lat: 46.5, lon: 7 } })
  const { rows } = await sql<{ payload: object }>`
    select payload from bus.event where payload->>'deviceId' = ${id}
      and payload->>'kind' = 'created'`.execute(server.database.db)
  expect(rows).toMatchObject([{ payload: { data: { label: 'Beginner' } } }])
  const told = server.asService(mappingsContract)
  expect(await told.devicesDescribed({ body: { ids: [id, 'unknown'] } })).toMatchObject([
    {
      id,
      aliases: { label: 'Beginner', serialNumber: 'S-9' },
      attributes: { geoLocation: [46.5, 7] },
    },
  ])
})
