import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const base = '/svc/mappings/api/v1'

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  await as('administrator').createModel({ query, body: { name: 'Probe:1.0.0', data: model } })
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const raw = (path: string) => server.fetchAs(seeded.people.viewer)(`${base}${path}`)

const model = {
  type: 'object',
  properties: {
    temperature: { type: 'double' },
    setpoint: { type: 'double' },
    'flat/key': { type: 'integer' },
    zones: {
      type: 'array',
      length: 2,
      item: { type: 'object', properties: { t: { type: 'double' } } },
    },
    s: {
      type: 'struct',
      instanceOf: 'S:1.0.0',
      properties: { a: { type: 'integer' }, b: { type: 'double' } },
    },
  },
}
const sendPolicy = {
  triggers: [{ changeMask: 'value', minIntervalMs: 1000, skipFirstNChanges: 0, type: 'onchange' }],
}
const leaf = (source: string, type = 'double', more: object = {}) => ({
  version: '1.0.0',
  type,
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy,
  datalink: { source },
  ...more,
})
const preset = (properties: object = { temperature: leaf('Tag1') }, more: object = {}) => ({
  type: 'object',
  instanceOf: 'Probe:1.0.0',
  UUID: 'z5kn06t96oqqm3fl',
  label: '',
  unit: '',
  description: '',
  tags: [],
  properties,
  ...more,
})
const whole = {
  temperature: leaf('Tag1'),
  setpoint: leaf('Set', 'double', { mode: 'RW' }),
  'flat/key': leaf('Flat', 'integer', {
    sendPolicy: { triggers: [{ type: 'timer', intervalMs: 5000 }] },
  }),
  zones: {
    type: 'array',
    length: 2,
    item: { type: 'object', properties: { t: leaf('zone${0}.t') } },
  },
  s: {
    ...leaf('st', 'struct', { mode: 'RW', instanceOf: 'S:1.0.0' }),
    properties: { a: { type: 'integer', mode: 'RW' }, b: { type: 'double' } },
  },
}
let counter = 0
const create = (data: Record<string, unknown>, name = `P${(counter += 1)}`) =>
  as('administrator').createPreset({ query, body: { name, data } })

test('a preset is kept and answered exactly as posted, under both names and slashes (traps 17, 19, 20) [C-26]', async () => {
  const { id } = await create(preset(whole), 'Whole')
  const wanted = JSON.stringify(preset(whole))
  for (const path of [`/presets/${id}`, `/mappings/${id}`, `/mappings/${id}/`]) {
    const body = (await (await raw(`${path}?organization=${organization}`)).json()) as {
      value: { json: object; name: string }
    }
    expect(JSON.stringify(body.value.json)).toBe(wanted)
  }
  for (const path of ['/presets', '/presets/', '/mappings', '/mappings/']) {
    const body = (await (
      await raw(`${path}?organization=${organization}&search=whole`)
    ).json()) as {
      data: { name: string; modelId: string }[]
    }
    expect(body.data).toEqual([expect.objectContaining({ name: 'Whole', id })])
  }
})

test('the configuration has what a device needs, and every path of the preset (trap 2) [C-26]', async () => {
  const { id } = await create(preset(whole))
  const response = await raw(`/presets/${id}/deviceConfiguration?organization=${organization}`)
  const text = await response.text()
  const { model: name, leaves, byServerEndpoint, interfaces } = readConfiguration(text)
  expect(name).toBe('Probe:1')
  expect(leaves.map(({ path, type, mode, source }) => [path, type, mode, source])).toEqual([
    ['Probe:1/temperature', 'double', 'R', 'Tag1'],
    ['Probe:1/setpoint', 'double', 'RW', 'Set'],
    ['Probe:1/flat/key', 'integer', 'R', 'Flat'],
    ['Probe:1/zones[0]/t', 'double', 'R', 'zone0.t'],
    ['Probe:1/zones[1]/t', 'double', 'R', 'zone1.t'],
    ['Probe:1/s', 'struct', 'RW', 'st'],
  ])
  expect(leaves[0]?.deviceEndpoint).toMatch(
    /^\/com\.exor\.[a-z0-9]{10}\/z5kn06t96oqqm3fl\/0\/temperature$/,
  )
  expect(new Set(leaves.map((one) => one.deviceEndpoint)).size).toBe(leaves.length)
  expect([...byServerEndpoint.values()].map(({ path }) => path)).toEqual([
    'Probe:1/setpoint',
    'Probe:1/s',
    'Probe:1/s/a',
    'Probe:1/s/b',
  ])
  // A device listens for one field of a struct where the configuration says so.
  const fields = [...text.matchAll(/"server_endpoint":"([^"]+\/0\/?[ab]?)"/g)].map(([, at]) => at)
  const struct = fields.find((at) => at?.endsWith('/0'))
  expect(fields).toEqual([struct, `${struct}/a`])
  for (const { interface_name } of interfaces) {
    expect(interface_name).toMatch(/^com\.exor\.[a-z0-9]{10}$/)
  }
  const data = (JSON.parse(text) as { properties: { Probe: Record<string, unknown> } }).properties
  expect(Object.keys(data.Probe)).toEqual([
    'UUID',
    'instanceOf',
    'type',
    'policies',
    'interfaces',
    'properties',
  ])
  expect(data.Probe['policies']).toEqual({
    _0: { type: 'send', ...sendPolicy },
    _1: { type: 'send', triggers: [{ type: 'timer', intervalMs: 5000 }] },
  })
})

test('the same preset compiles to the same bytes again (trap 4)', async () => {
  const { id } = await create(preset(whole, { UUID: null }), 'Stable')
  const text = async () =>
    (await raw(`/presets/${id}/deviceConfiguration?organization=${organization}`)).text()
  const before = await text()
  const body = { name: 'Stable', data: preset(whole, { UUID: null }) }
  await as('administrator').updatePreset({ params: { id }, query, body })
  expect(await text()).toBe(before)
})

test('a preset for a path that the model has not names the path [C-26]', async () => {
  await expect(create(preset({ nowhere: leaf('Tag1') }))).rejects.toMatchObject({
    status: 422,
    code: 'mappings.preset_path_missing',
    details: {
      missing: ['nowhere'],
      message: expect.stringContaining('nowhere') as string,
    },
  })
})

test.each([
  ['another datatype', { temperature: leaf('a', 'integer') }, 'properties.temperature.type'],
  [
    'no mode',
    { temperature: leaf('a', 'double', { mode: undefined }) },
    'properties.temperature.mode',
  ],
  [
    'no history policy',
    { temperature: leaf('a', 'double', { historyPolicy: null }) },
    'properties.temperature.historyPolicy',
  ],
  [
    'an unknown trigger',
    { temperature: leaf('a', 'double', { sendPolicy: { triggers: [{ type: 'never' }] } }) },
    'properties.temperature.sendPolicy.triggers.0.type',
  ],
  [
    'a formula without text',
    { temperature: leaf('a', 'double', { datalink: { type: 'formula', source: {} } }) },
    'properties.temperature.datalink.source.functions.formula.map',
  ],
  ['nothing linked', { temperature: leaf('') }, 'properties'],
  ['no properties', {}, 'properties'],
  [
    'a struct linked twice',
    { s: { ...whole.s, properties: { a: { type: 'integer', datalink: { source: 'x' } } } } },
    'properties.s.datalink',
  ],
])('a preset with %s is refused with its place (trap 2) [V-01]', async (_, properties, path) => {
  const data = JSON.parse(JSON.stringify(preset(properties))) as Record<string, unknown>
  const { valid, issues } = await as('viewer').validatePreset({ query, body: { data } })
  expect(valid).toBe(false)
  expect(issues.map((issue) => issue.path)).toEqual([path])
  await expect(create(data)).rejects.toMatchObject({ status: 422 })
})

test('a preset needs a model of its organization and a name of its own', async () => {
  await expect(create(preset(undefined, { instanceOf: 'Probe:9.0.0' }))).rejects.toMatchObject({
    status: 422,
    code: 'mappings.no_such_model',
  })
  const twice = await Promise.allSettled([create(preset(), 'Twice'), create(preset(), 'Twice')])
  expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'mappings.preset_exists' },
  })
})

test('a preset keeps its name for another version of its model, as tools upgrade devices [C-26]', async () => {
  const data = (more: object) => ({
    type: 'object',
    properties: { t: { type: 'double' }, ...more },
  })
  const model = await as('administrator').createModel({
    query,
    body: { name: 'Upgraded', data: data({}) },
  })
  const leafed = { t: leaf('Tag1') }
  const old = await create(preset(leafed, { instanceOf: 'Upgraded:1.0.0' }), 'Upgraded_Mapping')
  await as('administrator').updateModel({
    params: { id: model.id },
    query,
    body: { name: 'Upgraded', data: data({ u: { type: 'double' } }) },
  })
  const versions = await as('administrator').modelVersions({
    params: { name: 'Upgraded' },
    query: { organization, page: 0, pageSize: 10 },
  })
  const newest = versions.data.toSorted().at(-1)
  expect(newest).not.toBe('1.0.0')
  const next = await create(
    preset(leafed, { instanceOf: `Upgraded:${newest}` }),
    'Upgraded_Mapping',
  )
  expect(next.id).not.toBe(old.id)
  const again = create(preset(leafed, { instanceOf: `Upgraded:${newest}` }), 'Upgraded_Mapping')
  await expect(again).rejects.toMatchObject({ code: 'mappings.preset_exists' })
  const { data: listed } = await as('administrator').presets({
    query: { organization, page: 0, pageSize: 10, search: 'Upgraded_Mapping' },
  })
  expect(listed.map(({ version }) => version).toSorted()).toEqual(['1.0.0', newest])
})

test('a preset in use is not deleted, one without devices is answered as it was (trap 19)', async () => {
  const { id } = await create(preset(), 'Used')
  const { deviceId } = await as('administrator').createDevice({
    query,
    body: { label: 'User', presetId: id },
  })
  const remove = () => as('administrator').deletePreset({ params: { id }, query })
  await expect(remove()).rejects.toMatchObject({ status: 409, code: 'mappings.preset_in_use' })
  await as('administrator').deleteDevice({ params: { id: deviceId }, query })
  expect(await remove()).toMatchObject({ name: 'Used', deleted: true, json: preset() })
  const { data } = await as('viewer').models({
    query: { organization, page: 0, pageSize: 10, name: 'Probe' },
  })
  await expect(
    as('administrator').deleteModel({ params: { id: data[0]!.id }, query }),
  ).rejects.toMatchObject({ status: 409, code: 'mappings.model_in_use' })
})

test('other organizations neither see nor change a preset, and without permission nobody does', async () => {
  const { id } = await create(preset())
  const elsewhere = { organization: 'nordwerk.press' }
  const params = { id }
  await expect(as('neighbour').preset({ params, query: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('neighbour').deletePreset({ params, query: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('foreigner').preset({ params, query })).rejects.toMatchObject({ status: 404 })
  await expect(as('member').preset({ params, query })).rejects.toMatchObject({ status: 403 })
  await expect(
    as('viewer').updatePreset({ params, query, body: { name: 'x', data: preset() } }),
  ).rejects.toMatchObject({ status: 403 })
})
