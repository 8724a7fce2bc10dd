import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const listed = { organization, page: 0, pageSize: 100 }

const oven = (more: object = {}) => ({
  type: 'object',
  UUID: null,
  properties: {
    temperature: { type: 'double', unit: '°C', label: 'Temperature' },
    ...more,
  },
  label: '',
  unit: '',
  description: '',
  tags: [],
})

test('a model begins at 1.0.0 and is answered as it was posted, keys in order [C-26]', async () => {
  const made = await as('administrator').createModel({
    query,
    body: { name: 'First', data: oven() },
  })
  expect(made).toMatchObject({ name: 'First', version: '1.0.0', orgResourceId: organization })
  expect(JSON.stringify(made.json)).toBe(JSON.stringify({ ...oven(), instanceOf: 'First:1.0.0' }))
  expect(made.metadata).toEqual([
    expect.objectContaining({ path: 'temperature', type: 'double', unit: '°C' }),
  ])
  const read = await as('viewer').model({ params: { id: made.id }, query })
  expect(JSON.stringify(read.json)).toBe(JSON.stringify(made.json))
})

test.each([
  ['a word about a path', oven({ x: { type: 'double', label: 'X' } }), '1.0.1'],
  ['a path more', oven({ x: { type: 'double' }, y: { type: 'string' } }), '1.1.0'],
  ['another datatype', oven({ x: { type: 'integer' } }), '2.0.0'],
  ['a path less', oven(), '2.0.0'],
  ['nothing new', oven({ x: { type: 'double' } }), '1.0.0'],
])(
  '%s makes the next version, and the list has each name once (traps 16, 19) [C-26]',
  async (what, data, version) => {
    const name = `Versions_${what.replaceAll(' ', '_')}`
    const { id } = await as('administrator').createModel({
      query,
      body: { name, data: oven({ x: { type: 'double' } }) },
    })
    const { value } = await as('administrator').updateModel({
      params: { id },
      query,
      body: { name, data },
    })
    expect(value.version).toBe(version)
    const { data: versions } = await as('viewer').modelVersions({ params: { name }, query: listed })
    expect(versions).toEqual(version === '1.0.0' ? ['1.0.0'] : [version, '1.0.0'])
    const { data: newest } = await as('viewer').models({ query: { ...listed, name } })
    expect(newest.map((one) => one.version)).toEqual([version])
    const { data: exact } = await as('viewer').models({
      query: { ...listed, name, version: '1.0.0' },
    })
    expect(exact.map((one) => one.version)).toEqual(['1.0.0'])
  },
)

test('models inside of a model are made too, and one that is there must be the same [C-26]', async () => {
  const zone = (type: string) => ({
    type: 'object',
    instanceOf: 'Zone:1.0.0',
    properties: { t: { type } },
  })
  const post = (name: string, type: string) =>
    as('administrator').createModel({ query, body: { name, data: oven({ zone: zone(type) }) } })
  await post('WithZone', 'double')
  await post('WithZoneToo', 'double')
  const { data } = await as('viewer').models({ query: { ...listed, name: 'Zone' } })
  expect(data).toHaveLength(1)
  await expect(post('WithOtherZone', 'string')).rejects.toMatchObject({
    status: 422,
    code: 'mappings.model_invalid',
  })
  const { data: none } = await as('viewer').models({ query: { ...listed, name: 'WithOtherZone' } })
  expect(none).toEqual([])
})

test('a model that contains itself is refused, also further down', async () => {
  const again = (name: string) => ({ type: 'object', instanceOf: `${name}:3.0.0`, properties: {} })
  const between = { type: 'object', instanceOf: 'B:1.0.0', properties: { a: again('Loop') } }
  for (const data of [oven({ a: again('Loop') }), oven({ b: between })]) {
    await expect(
      as('administrator').createModel({ query, body: { name: 'Loop', data } }),
    ).rejects.toMatchObject({ status: 422, code: 'mappings.model_refers_to_itself' })
  }
})

test('everything wrong in a model is told with its place [V-01]', async () => {
  const data = oven({
    '1st': { type: 'double' },
    other: { type: 'float' },
    list: { type: 'array', length: 0, item: { type: 'double' } },
    s: { type: 'struct', instanceOf: 'S', properties: { o: { type: 'object', properties: {} } } },
  })
  const { valid, issues } = await as('viewer').validateModel({
    query,
    body: { data: { ...data, instanceOf: 'Bad:1.0.0' } },
  })
  expect(valid).toBe(false)
  expect(issues.map(({ path }) => path)).toEqual([
    'properties.1st',
    'properties.other.type',
    'properties.list.length',
    'properties.s.instanceOf',
    'properties.s.properties.o.type',
  ])
  await expect(
    as('administrator').createModel({ query, body: { name: 'Bad', data } }),
  ).rejects.toMatchObject({ status: 422, details: { issues: expect.any(Array) as unknown } })
  await expect(
    as('administrator').createModel({ query, body: { name: 'Bad name', data: oven() } }),
  ).rejects.toMatchObject({ status: 422, details: { field: 'name' } })
})

test('validation against a model says how far it departs [C-26]', async () => {
  const { id } = await as('administrator').createModel({
    query,
    body: { name: 'Judged', data: oven() },
  })
  const data = { ...oven({ more: { type: 'double' } }), instanceOf: 'Judged:1.0.0' }
  expect(await as('viewer').validateModel({ query, body: { modelId: id, data } })).toEqual({
    modelId: id,
    major: false,
    minor: true,
    patch: false,
    valid: true,
    issues: [],
    problems: [],
    changes: [{ path: 'more', kind: 'added', from: null, to: 'double', weight: 'minor' }],
  })
})

test('two who make the same model at once make one', async () => {
  const make = () =>
    as('administrator').createModel({ query, body: { name: 'Twice', data: oven() } })
  const results = await Promise.allSettled([make(), make()])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = results.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { status: 409, code: 'mappings.model_exists' } })
})

test('names, expressions and paths can be searched [C-26]', async () => {
  await as('administrator').createModel({
    query,
    body: { name: 'Searched.Pump', data: oven({ flow: { type: 'double', unit: 'l/s' } }) },
  })
  const names = await as('viewer').modelNames({ query: { ...listed, search: 'searched' } })
  expect(names.data).toEqual([{ name: 'Searched.Pump', count: 1, orgResourceId: organization }])
  const found = await as('viewer').searchModels({
    query,
    body: { data: 'name ~= "pump" and not version == "2.0.0"', page: 0, pageSize: 10 },
  })
  expect(found.data.map(({ name }) => name)).toEqual(['Searched.Pump'])
  const paths = await as('viewer').searchModelPaths({
    query,
    body: { data: 'model == "Searched.Pump:1" and unit == "l/s"', page: 0, pageSize: 10 },
  })
  expect(paths.data).toEqual([expect.objectContaining({ path: 'flow', type: 'double' })])
  await expect(
    as('viewer').searchModels({ query, body: { data: 'name ~= ', page: 0, pageSize: 10 } }),
  ).rejects.toMatchObject({ status: 400, details: { position: 8 } })
  await expect(
    as('viewer').models({ query: { ...listed, orderBy: 'json' } }),
  ).rejects.toMatchObject({ status: 400, code: 'mappings.bad_order' })
})

test('deleting answers the model that was, and its version before takes its place', async () => {
  const body = { name: 'Deleted', data: oven() }
  const { id } = await as('administrator').createModel({ query, body })
  const { value } = await as('administrator').updateModel({
    params: { id },
    query,
    body: { ...body, data: oven({ more: { type: 'double' } }) },
  })
  const gone = await as('administrator').deleteModel({ params: { id: value.id }, query })
  expect(gone).toMatchObject({ name: 'Deleted', version: '1.1.0', deleted: true })
  expect(gone.json).toBeDefined()
  const paths = await as('viewer').searchModelPaths({
    query,
    body: { data: 'model == "Deleted:1"', page: 0, pageSize: 10 },
  })
  expect(paths.data.map(({ path }) => path)).toEqual(['temperature'])
})

test('other organizations neither see nor change a model, and without permission nobody does', async () => {
  const { id } = await as('administrator').createModel({
    query,
    body: { name: 'Private', data: oven() },
  })
  const elsewhere = { organization: 'nordwerk.press' }
  await expect(as('neighbour').model({ params: { id }, query: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(
    as('neighbour').deleteModel({ params: { id }, query: elsewhere }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(as('foreigner').model({ params: { id }, query })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('member').model({ params: { id }, query })).rejects.toMatchObject({ status: 403 })
  await expect(as('viewer').deleteModel({ params: { id }, query })).rejects.toMatchObject({
    status: 403,
  })
  const below = await as('owner').models({
    query: { ...listed, organization: 'nordwerk.*', name: 'Private' },
  })
  expect(below.data.map((one) => one.id)).toEqual([id])
  const own = await as('owner').models({ query: { ...listed, organization: 'nordwerk' } })
  expect(own.data).toEqual([])
})
