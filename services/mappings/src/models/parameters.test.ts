import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { fillParameters, mostParameters } from './parameters-contract.ts'

const text = { name: 'n', type: 'text' }
const limit = { name: 'limit', type: 'number', default: 250 }
const zone = (more: object = {}) => ({
  type: 'object',
  parameters: [text, limit],
  template: { label: 'Zone {n}' },
  properties: {
    temperature: {
      type: 'double',
      template: { label: 'Temperature {n}', description: 'At most {limit} °C', max: '{limit}' },
    },
  },
  ...more,
})
const oven = (properties: object, more: object = {}) => ({
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  ...more,
  properties,
})
type Node = Record<string, unknown> & { properties: Record<string, Node> }
const filled = (tree: object) => fillParameters(tree as Node).tree as Node

test('each instance of an object has its own texts and limits', () => {
  const tree = oven({
    zone1: zone({ arguments: { n: '1' } }),
    zone2: zone({ arguments: { n: '2', limit: 180 } }),
    zone3: zone(),
  })
  const { zone1, zone2, zone3 } = filled(tree).properties
  expect([zone1, zone2, zone3].map((one) => one?.['label'])).toEqual([
    'Zone 1',
    'Zone 2',
    'Zone {n}',
  ])
  const temperatures = [zone1, zone2].map((one) => one?.properties['temperature'])
  expect(temperatures).toMatchObject([
    { label: 'Temperature 1', description: 'At most 250 °C', max: 250 },
    { label: 'Temperature 2', description: 'At most 180 °C', max: 180 },
  ])
  expect(fillParameters(tree).faults).toEqual([])
  expect(filled(filled(tree))).toEqual(filled(tree))
})

test('values of the object around reach an instance by its arguments', () => {
  const tree = oven(
    { zone1: zone({ arguments: { n: '{line}-1', limit: '{top}' } }) },
    {
      parameters: [
        { name: 'line', type: 'text', default: 'A' },
        { name: 'top', type: 'number', default: 99 },
      ],
    },
  )
  const { zone1 } = filled(tree).properties
  expect(zone1?.['label']).toBe('Zone A-1')
  expect(zone1?.properties['temperature']?.['max']).toBe(99)
})

const leaf = (template: unknown) => ({ a: { type: 'double', template } })
test.each<[string, object, string, string]>([
  ['no list', oven({}, { parameters: {} }), 'parameters', 'parameters'],
  [
    'too many',
    oven({}, { parameters: Array.from({ length: mostParameters + 1 }, () => text) }),
    'parameters',
    'parameters',
  ],
  [
    'a bad name',
    oven({}, { parameters: [{ name: '1', type: 'text' }] }),
    'parameters.0',
    'parameterName',
  ],
  ['a name twice', oven({}, { parameters: [text, text] }), 'parameters', 'parameterName'],
  [
    'a default of another type',
    oven({}, { parameters: [{ ...limit, default: 'much' }] }),
    'parameters',
    'parameterValue',
  ],
  [
    'of a value',
    oven({ a: { type: 'double', parameters: [text] } }),
    'properties.a.parameters',
    'parameters',
  ],
  [
    'unknown in a text',
    oven(leaf({ label: '{x}' })),
    'properties.a.template.label',
    'parameterUnknown',
  ],
  [
    'of the object around, not given',
    oven({ z: { type: 'object', properties: leaf({ label: '{n}' }) } }, { parameters: [text] }),
    'properties.z.properties.a.template.label',
    'parameterUnknown',
  ],
  [
    'unknown argument',
    oven({ z: zone({ arguments: { x: 1 } }) }),
    'properties.z.arguments.x',
    'parameterUnknown',
  ],
  [
    'a number that is text',
    oven({ z: zone({ arguments: { limit: 'much' } }) }),
    'properties.z.arguments.limit',
    'parameterNumber',
  ],
  [
    'a value of another kind',
    oven({ z: zone({ arguments: { n: [1] } }) }),
    'properties.z.arguments.n',
    'parameterValue',
  ],
  [
    'a limit of a text',
    oven({ a: { type: 'double', template: { max: '{n}' } } }, { parameters: [text] }),
    'properties.a.template.max',
    'parameterNumber',
  ],
  ['another key', oven(leaf({ type: '{n}' })), 'properties.a.template.type', 'template'],
  ['no object', oven(leaf('Zone {n}')), 'properties.a.template', 'template'],
])('what cannot be filled in is named: %s', (_, tree, path, rule) => {
  expect(fillParameters(tree as Node).faults).toMatchObject([{ path, rule }])
})

test('values do not blow a tree up', () => {
  const long = { ...text, default: 'x'.repeat(100) }
  const many = Array.from({ length: 2_000 }, (_, index) => [
    `a${index}`,
    { type: 'double', template: { description: '{n}'.repeat(8) } },
  ])
  const { tree, faults } = fillParameters(oven(Object.fromEntries(many), { parameters: [long] }))
  expect(faults.map(({ rule }) => rule)).toContain('filledLong')
  expect(JSON.stringify(tree).length).toBeLessThan(1_500_000)
})

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
const create = (name: string, data: Record<string, unknown>) =>
  as('administrator').createModel({ query, body: { name, data, settle: true } })

test('instances with other values are one model, filled in where it is used [C-26]', async () => {
  const instanceOf = 'Line.zone:1.0.0'
  const made = await create('Line', {
    type: 'object',
    properties: {
      zone1: zone({ instanceOf, arguments: { n: '1' } }),
      zone2: zone({ instanceOf, arguments: { n: '2', limit: 180 } }),
    },
  })
  const labels = made.metadata.map(({ path, label }) => [path, label])
  expect(labels).toContainEqual(['zone1', 'Zone 1'])
  expect(labels).toContainEqual(['zone2/temperature', 'Temperature 2'])
  const { data: inside } = await as('viewer').models({ query: { ...query, search: 'line.' } })
  expect(inside.map(({ name, version }) => `${name}:${version}`)).toEqual([instanceOf])
  expect(inside[0]?.json).toMatchObject({ label: 'Zone {n}', parameters: [text, limit] })
  expect(inside[0]?.json).not.toHaveProperty('arguments')

  const json = made.json as Node
  const zone2 = { ...json.properties['zone2'], arguments: { n: '2', limit: 190 } }
  const data = { ...json, properties: { ...json.properties, zone2 } }
  const impact = await as('administrator').modelImpact({
    params: { id: made.id },
    query,
    body: { data },
  })
  expect(impact.change).toBe('patch')
  expect(impact.changes).toContainEqual(
    expect.objectContaining({ path: 'zone2/temperature', kind: 'max', from: 180, to: 190 }),
  )
  const { value } = await as('administrator').updateModel({
    params: { id: made.id },
    query,
    body: { name: 'Line', data, settle: true },
  })
  expect(value.version).toBe('1.0.1')
  const { data: after } = await as('viewer').models({ query: { ...query, search: 'line.' } })
  expect(after.map(({ name, version }) => `${name}:${version}`)).toEqual([instanceOf])
})

test('a model whose parameters are wrong is refused, with the place [C-26]', async () => {
  const data = { type: 'object', properties: { zone1: zone({ arguments: { m: '1' } }) } }
  await expect(create('Wrong', data)).rejects.toMatchObject({
    status: 422,
    code: 'mappings.model_invalid',
    details: {
      issues: [
        {
          path: 'properties.zone1.arguments.m',
          rule: 'parameterUnknown',
          values: { name: 'm' },
        },
      ],
    },
  })
  const judged = await as('viewer').validateModel({ query, body: { data } })
  expect(judged.problems.map(({ path }) => path)).toContain('properties.zone1.arguments.m')
  const { data: models } = await as('viewer').models({ query: { ...query, name: 'Wrong' } })
  expect(models).toEqual([])
})
