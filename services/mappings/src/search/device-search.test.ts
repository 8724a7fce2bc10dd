import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const attribute = (id: string, key: string, value: number | string | number[] | boolean) =>
  as('administrator').setAttribute({ params: { id }, query, body: { key, value } })

const made: Record<string, string> = {}
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as('administrator').createModel({ query, body: { name: 'Kiln', data } })
  const t = {
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    datalink: { source: 'T' },
  }
  const tree = { type: 'object', instanceOf: 'Kiln:1.0.0', properties: { t } }
  const preset = await as('administrator').createPreset({
    query,
    body: { name: 'Brennofen', data: tree },
  })
  const bodies = [
    { label: 'Oven 10', serialNumber: 'SN-4711', presetId: preset.id },
    { label: 'Oven 2', description: 'Äußerer Bereich', tags: ['Línea 1'] },
    { label: 'ÉTUVE', position: { lat: 46.95, lon: 7.44 } },
    { label: 'zeta', position: { lat: 47.37, lon: 8.54 } },
    { label: 'Fiji', position: { lat: -17.8, lon: 178.1 } },
  ]
  for (const body of bodies) {
    made[body.label] = (await as('administrator').createDevice({ query, body })).id
  }
  await attribute(made['zeta'] ?? '', 'ip', '10.20.30.40')
  await attribute(made['zeta'] ?? '', 'power', 4)
  await attribute(made['Fiji'] ?? '', 'power', 6)
  await attribute(made['Fiji'] ?? '', 'vpn_connected', true)
})
afterAll(() => server.close())

const labels = ({ data }: { data: { label: string }[] }) => data.map(({ label }) => label)
const ask = (body: object) =>
  as('viewer').searchDevices({ query, body: { page: 0, pageSize: 100, ...body } })
const found = async (search: string) => labels(await ask({ search }))

test.each([
  ['oven', ['Oven 2', 'Oven 10']],
  ['étuve', ['ÉTUVE']],
  ['etuve', ['ÉTUVE']],
  ['AUSSERER', []],
  ['ausserer', []],
  ['äußerer', ['Oven 2']],
  ['linea', ['Oven 2']],
  ['4711', ['Oven 10']],
  ['brennofen', ['Oven 10']],
  ['kiln oven', ['Oven 10']],
  ['10.20.30', ['zeta']],
  ['power', []],
  // Two letters that no id can hold, which are searched too.
  ['äu', ['Oven 2']],
  ['ße', []],
  ['ß*bereich', ['Oven 2']],
  ['100%', []],
])('the text %s finds %j [R-10]', async (search, wanted) => {
  expect(await found(search)).toEqual(wanted)
})

test('with all below, the label of an organization finds its devices', async () => {
  await server.as(seeded.people.owner, coreContract).updateOrganization({
    params: { org: organization },
    body: { label: 'Zürich Süd' },
  } as never)
  const result = await as('owner').devices({
    query: { organization: 'nordwerk.*', search: 'zurich oven', page: 0 },
  })
  expect(labels(result)).toEqual(['Oven 2', 'Oven 10'])
})

test('a scroll goes on where it was while devices come and go [C-26]', async () => {
  const first = await ask({ pageSize: 2, scroll: true, orderBy: 'label' })
  expect(labels(first)).toEqual(['ÉTUVE', 'Fiji'])
  const extra = await as('administrator').createDevice({ query, body: { label: 'AAA' } })
  const next = { pageSize: 2, orderBy: 'label', scrollId: first.scrollId }
  const second = await ask(next)
  expect(labels(second)).toEqual(['Oven 2', 'Oven 10'])
  const third = await ask({ ...next, scrollId: second.scrollId })
  expect(labels(third)).toEqual(['zeta'])
  expect(third).toMatchObject({ last: true })
  expect(third.scrollId).toBeUndefined()
  await as('administrator').deleteDevice({ params: { id: extra.id }, query })
  await expect(ask({ ...next, orderBy: 'updatedAt' })).rejects.toMatchObject({ status: 400 })
  await expect(ask({ scrollId: 'nonsense' })).rejects.toMatchObject({
    status: 400,
    code: 'mappings.bad_scroll',
  })
})

test.each([
  'name',
  'description',
  'serialNumber',
  'creationDate',
  'updatedAt',
  'connected',
  'lastConnUpdateAt',
  'lastConfigUpdateAt',
  'configurationApplied',
  'configurationError',
  'presetName',
  'presetId',
  'modelName',
  'modelVersion',
  'orgResourceId',
  'deviceId',
])('by %s every device comes once, whatever the direction [C-26]', async (orderBy) => {
  for (const orderDir of ['asc', 'desc'] as const) {
    const seen: string[] = []
    let scrollId: string | undefined
    do {
      const page = await ask({ pageSize: 2, orderBy, orderDir, scroll: true, scrollId })
      seen.push(...page.data.map(({ id }) => id))
      scrollId = page.scrollId
    } while (scrollId !== undefined)
    expect(seen.toSorted()).toEqual(Object.values(made).toSorted())
  }
})

test('devices are found by distance and within bounds, also across the date line', async () => {
  const near = { geoLocation: [46.95, 7.44], geoLocationDistance: '50km' }
  expect(labels(await ask(near))).toEqual(['ÉTUVE'])
  expect(labels(await ask({ ...near, geoLocationDistance: 150_000 }))).toEqual(['ÉTUVE', 'zeta'])
  const box = { geoBoundsTopLeft: [-10, 170], geoBoundsBottomRight: [-20, -170] }
  expect(labels(await ask(box))).toEqual(['Fiji'])
  await expect(ask({ ...near, geoLocationDistance: 'far' })).rejects.toMatchObject({
    status: 400,
    code: 'mappings.bad_place',
  })
})

test('the tags, models and organizations in use are counted', async () => {
  const facets = await as('viewer').deviceFacets({ query })
  expect(facets).toEqual({
    tags: [{ value: 'Línea 1', count: 1 }],
    models: [{ value: 'Kiln', count: 1 }],
    organizations: [{ value: organization, count: 5 }],
  })
  const listed = await as('viewer').devices({
    query: { ...query, page: 0, data: 'modelName == "Kiln" and tags != "x"' },
  })
  expect(labels(listed)).toEqual(['Oven 10'])
})

test('figures stand over everything that matches, whatever the page', async () => {
  const body = {
    pageSize: 1,
    statFields: ['attributes.power', 'attributes.vpn_connected'],
    countDistinct: ['presetId', 'attributes.power'],
  }
  const { aggregations } = await ask(body)
  expect(aggregations).toEqual({
    stats: {
      'attributes.power': { count: 2, min: 4, max: 6, avg: 5, sum: 10 },
      'attributes.vpn_connected': { count: 1, min: 1, max: 1, avg: 1, sum: 1 },
    },
    countDistinct: { presetId: 1, 'attributes.power': 2 },
  })
})

test.each([
  ['withoutPreset', 4],
  ['never', 5],
  ['online', 0],
] as const)('the state %s is a filter and a count', async (state, wanted) => {
  expect((await ask({ state })).totalElements).toBe(wanted)
})

test.each([
  [{ key: '__proto__', value: 1 }, 'key'],
  [{ key: 'a', value: { constructor: { x: 1 } } }, 'value'],
  [{ key: 'geoLocation', value: [91, 0] }, 'value'],
  [{ key: 'geoLocation', value: 'here' }, 'value'],
])('the attribute %j is refused at its field [E-06]', async (body, field) => {
  const params = { id: made['zeta'] ?? '' }
  await expect(as('administrator').setAttribute({ params, query, body })).rejects.toMatchObject({
    status: 422,
    code: 'mappings.attribute_refused',
    details: { field },
  })
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('a position is set, moved and taken away with the device [E-06]', async () => {
  const params = { id: made['zeta'] ?? '' }
  const patch = (position: { lat: number; lon: number } | null) =>
    as('administrator').updateDevice({ params, query, body: { position } })
  expect((await patch({ lat: 1, lon: 2 })).attributes).toMatchObject({
    geoLocation: [1, 2],
    geoLocationLonLat: [2, 1],
  })
  expect(await patch(null)).not.toHaveProperty('position')
  await expect(patch({ lat: 100, lon: 0 })).rejects.toMatchObject({ status: 400 })
})
