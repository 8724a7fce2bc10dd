import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const query = { organization: 'nordwerk.service' }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, platform], {
    admit: coreAuthorizer,
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const leaf = (type = 'double', more: object = {}) => ({ type, ...more })
const object = (properties: object, more: object = {}) => ({ type: 'object', ...more, properties })
type Made = { properties: Record<string, { instanceOf: string }> }

const create = (name: string, data: Record<string, unknown>, more: object = {}) =>
  as('administrator').createModel({ query, body: { name, data, ...more } })
const update = (id: string, body: { name: string; data: Record<string, unknown> }) =>
  as('administrator').updateModel({ params: { id }, query, body })

test('with settle, objects inside get names, and versions when they change [C-26]', async () => {
  const data = object({
    zone: object({ t: leaf() }),
    list: { type: 'array', length: 2, item: object({ x: leaf() }) },
  })
  const made = await create('Settled', data, { settle: true })
  const json = made.json as unknown as Made
  expect(json.properties['zone']?.instanceOf).toBe('Settled.zone:1.0.0')
  const inside = await as('viewer').models({ query: { ...query, search: 'settled.' } })
  expect(inside.data.map(({ name }) => name)).toEqual(['Settled.list', 'Settled.zone'])

  const zone = object({ t: leaf(), u: leaf() }, { instanceOf: 'Settled.zone:1.0.0' })
  const { value } = await as('administrator').updateModel({
    params: { id: made.id },
    query,
    body: { name: 'Settled', data: { ...made.json, ...object({ zone }) }, settle: true },
  })
  expect(value.version).toBe('2.0.0')
  const after = value.json as unknown as Made
  expect(after.properties['zone']?.instanceOf).toBe('Settled.zone:1.1.0')
})

test('two different objects of one name become two versions', async () => {
  const data = object({
    one: object({ t: leaf() }, { instanceOf: 'Pair:1.0.0' }),
    other: object({ t: leaf(), u: leaf() }, { instanceOf: 'Pair:1.0.0' }),
    same: object({ t: leaf() }, { instanceOf: 'Pair:1.0.0' }),
  })
  const { json } = await create('Pairs', data, { settle: true })
  const { properties } = json as unknown as Made
  expect(Object.values(properties).map(({ instanceOf }) => instanceOf)).toEqual([
    'Pair:1.0.0',
    'Pair:1.1.0',
    'Pair:1.0.0',
  ])
})

test('models that share a new model inside can be made at once', async () => {
  const data = object({ z: object({ t: leaf() }, { instanceOf: 'AtOnce.Zone:1.0.0' }) })
  await Promise.all(['One', 'Two', 'Three'].map((name) => create(`AtOnce.${name}`, data)))
  const { data: zones } = await as('viewer').models({ query: { ...query, name: 'AtOnce.Zone' } })
  expect(zones).toHaveLength(1)
})

test('who saves over a version that came meanwhile is told', async () => {
  const { id } = await create('Overtaken', object({ a: leaf() }))
  const save = (more: object) =>
    as('administrator').updateModel({
      params: { id },
      query,
      body: { name: 'Overtaken', data: object({ a: leaf(), ...more }), expected: id },
    })
  const results = await Promise.allSettled([save({ b: leaf() }), save({ c: leaf() })])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'mappings.model_changed', details: { version: '1.1.0' } },
  })
})

test('limits and words survive, and wrong ones are named [C-26]', async () => {
  const good = leaf('double', { unit: '°C', min: -40, max: 120.5, tags: ['a'], deprecated: true })
  const { id } = await create('Limits', object({ t: good }))
  const { json } = await as('viewer').model({ params: { id }, query })
  expect(json?.['properties']).toEqual({ t: good })
  const { problems } = await as('viewer').validateModel({
    query,
    body: {
      data: object(
        {
          a: leaf('double', { min: 5, max: 1 }),
          b: leaf('string', { min: 5 }),
          c: leaf('double', { min: '5', version: 'one', tags: 'x', deprecated: 'no' }),
        },
        { instanceOf: 'Bad:1.0.0' },
      ),
    },
  })
  expect(problems.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    'properties.a.max limitsOrder',
    'properties.b.min limitsType',
    'properties.c.version version',
    'properties.c.tags tags',
    'properties.c.deprecated boolean',
    'properties.c.min number',
  ])
})

test('a text is judged with the line and column of each problem [V-01]', async () => {
  const judge = async (text: string) =>
    (await as('viewer').validateModel({ query, body: { text } })).problems.map(
      ({ line, column, rule }) => `${line}:${column} ${rule}`,
    )
  const start = '{ "type": "object", "instanceOf": "T:1.0.0",\n  "properties": {\n'
  expect(await judge(`${start}    "a": { "type": "float" }\n} }`)).toEqual(['3:20 type'])
  expect(await judge(`${start}    "a": { "type": "double", }\n} }`)).toEqual(['3:30 json.key'])
  expect(
    await judge(`${start}    "a": { "type": "double" },\n    "a": { "type": "double" }\n} }`),
  ).toEqual(['4:5 json.twice'])
  expect(await judge('[]')).toEqual(['1:1 object'])
  await expect(as('viewer').validateModel({ query, body: {} })).rejects.toMatchObject({
    status: 400,
  })
})

test('presets of an older version keep working and their model stays', async () => {
  const { id } = await create('Older', object({ a: leaf() }))
  const data = {
    type: 'object',
    instanceOf: 'Older:1.0.0',
    properties: {
      a: {
        ...leaf(),
        mode: 'R',
        historyPolicy: { enabled: true },
        sendPolicy: { triggers: [{ type: 'onchange' }] },
        datalink: { source: 'A' },
      },
    },
  }
  const preset = await as('administrator').createPreset({
    query,
    body: { name: 'Of older', data },
  })
  await update(id, { name: 'Older', data: object({ a: leaf('string') }) })
  const params = { id: preset.id }
  const again = await as('administrator').updatePreset({ params, query, body: { data } })
  expect(again.value).toMatchObject({ modelId: id, version: '1.0.0' })
  const configuration = await as('viewer').deviceConfiguration({ params, query })
  expect(configuration.type).toBe('datamodel')
})

test('all versions of a model can be deleted at once', async () => {
  const { id } = await create('Gone', object({ a: leaf() }))
  await update(id, { name: 'Gone', data: object({ a: leaf(), b: leaf() }) })
  const gone = await as('administrator').deleteModel({
    params: { id },
    query: { ...query, allVersions: true },
  })
  expect(gone).toMatchObject({ name: 'Gone', version: '1.1.0', deleted: true })
  await expect(
    as('viewer').modelVersions({ params: { name: 'Gone' }, query }),
  ).rejects.toMatchObject({ status: 404 })
})

test('paths are ordered by several fields', async () => {
  await create('Ordered', object({ c: leaf(), a: leaf('string'), b: leaf() }))
  const { data } = await as('viewer').searchModelPaths({
    query,
    body: {
      data: 'model == "Ordered:1"',
      page: 0,
      pageSize: 100,
      orderByArray: [
        ['type', 'asc'],
        ['path', 'desc'],
      ],
    },
  })
  expect(data.map(({ path }) => path)).toEqual(['c', 'b', 'a'])
})
