import { readFile } from 'node:fs/promises'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  allOnDevices,
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'

const org = 'exor'
const pump = newDeviceId()
const oven = newDeviceId()
const start = Date.parse('2026-01-05T00:00:00Z')
const minute = 60_000
const hour = 60 * minute
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>

const configuration = configurationText({
  flow: { type: 'double' },
  power: { type: 'double' },
  on: { type: 'boolean' },
  state: { type: 'string' },
  motor: { type: 'struct', properties: { speed: { type: 'integer' }, mode: { type: 'string' } } },
})

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(start + 48 * hour))
  ann = platform.member('ann', org)
  const facts = { realm: 'exor', orgResourceId: org, configuration }
  platform.register.devices.set(pump, { label: 'Pump', groups: [3], ...facts })
  platform.register.devices.set(oven, { label: 'Oven', groups: [4], ...facts })
  const rows = (count: number, step: number, value: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index): [number, unknown] => [
      start + index * step,
      value(index),
    ])
  const body = [
    // Every minute of two hours, then nothing for one, then ten minutes.
    { deviceId: pump, modelPath: 'Probe:1/flow', data: rows(120, minute, (index) => index) },
    {
      deviceId: pump,
      modelPath: 'Probe:1/flow',
      data: rows(10, minute, (index) => 1_000 + index).map(([t, v]): [number, unknown] => [
        t + 3 * hour,
        v,
      ]),
    },
    { deviceId: pump, modelPath: 'Probe:1/power', data: rows(4, hour, (index) => index * 10) },
    { deviceId: pump, modelPath: 'Probe:1/on', data: rows(4, hour, (index) => index % 2 === 0) },
    { deviceId: pump, modelPath: 'Probe:1/state', data: rows(3, hour, (index) => `s${index}`) },
    {
      deviceId: pump,
      modelPath: 'Probe:1/motor',
      data: rows(3, hour, (index) => ({ speed: index * 100, mode: `m${index}` })),
    },
    { deviceId: oven, modelPath: 'Probe:1/flow', data: rows(4, hour, (index) => 5 - index) },
  ]
  await ann.bulkInsertTags({ params: { org }, query: {}, body })
  for (const id of [pump, oven]) await platform.change(id, {})
  await platform.settle()
})
afterAll(() => platform.close())

type Body = Parameters<typeof ann.queryTags>[0]['body']
const range = { since: start, to: start + 4 * hour }
const ask = async (more: Partial<Body>) =>
  ann.queryTags({
    params: { org },
    body: { sources: [{ deviceId: pump, modelPath: 'Probe:1/flow' }], ...range, ...more },
  })
const rowsOf = async (more: Partial<Body>) => (await ask(more))[0]?.data ?? []
const valuesOf = async (more: Partial<Body>) => (await rowsOf(more)).map(([, v]) => v)
const hours = { size: 1, unit: 'hours' }
const named = (...names: string[]) =>
  names.map((name) => ({ deviceId: pump, modelPath: `Probe:1/${name}`, tagName: name }))
const unnamed = ({ deviceId, modelPath }: { deviceId: string; modelPath: string }) => ({
  deviceId,
  modelPath,
})
const refused = async (more: Partial<Body>, field: string, status = 400) =>
  expect(ask(more)).rejects.toMatchObject({ status, details: { field } })

test.each([
  ['average', [29.5, 89.5, 1004.5]],
  ['min', [0, 60, 1000]],
  ['max', [59, 119, 1009]],
  ['sum', [1770, 5370, 10045]],
  ['count', [60, 60, 10]],
  ['first', [0, 60, 1000]],
  ['last', [59, 119, 1009]],
  ['delta', [59, 60, 890]],
  ['p50', [29.5, 89.5, 1004.5]],
])('an aggregation has %s of each step that has a value [C-20]', async (type, expected) => {
  expect(await rowsOf({ aggregation: { type, sampling: hours } })).toEqual(
    [0, 1, 3].map((index, place) => [start + index * hour, expected[place]]),
  )
})

test('a time-weighted average goes on through steps without a value', async () => {
  const found = await rowsOf({ aggregation: { type: 'timeWeightedAverage', sampling: hours } })
  // 1000 to 1008 for a minute each, then 1009 until the end.
  expect(found.map(([, v]) => v)).toEqual([29.5, 89.5, 119, (9_036 + 51 * 1_009) / 60])
})

test.each([
  ['USE_NULL', null],
  ['USE_ZERO', 0],
  ['EXTEND_LAST_VALUE', 89.5],
  ['NEXT_VALUE', 1004.5],
  ['LINEAR_INTERPOLATION', 547],
  ['CURRENT_VALUE', 1009],
] as const)('steps without a value are filled: %s [C-20]', async (fillPolicy, expected) => {
  const missingValues = { fillPolicy, paddingPolicy: 'NULL' } as const
  const aggregation = { type: 'average', sampling: hours }
  expect(await valuesOf({ aggregation, alignment: { missingValues } })).toEqual([
    29.5,
    89.5,
    expected,
    1004.5,
  ])
  expect(
    await valuesOf({ alignment: { sampling: hours, aggregation: 'average', missingValues } }),
  ).toEqual([29.5, 89.5, expected, 1004.5])
})

test.each([
  ['NULL', null],
  ['ZERO', 0],
  ['SEARCH', 59],
  ['SEARCH_OR_NULL', 59],
  ['SEARCH_OR_ZERO', 59],
] as const)(
  'before the first value stands what the padding says: %s [C-20]',
  async (paddingPolicy, expected) => {
    const missingValues = { fillPolicy: 'EXTEND_LAST_VALUE', paddingPolicy } as const
    const sampling = { size: 30, unit: 'seconds' }
    const since = start + hour - 30_000
    const found = await valuesOf({
      since,
      to: start + hour + 1,
      alignment: { sampling, missingValues },
    })
    expect(found).toEqual([expected, 60])
    const never = await valuesOf({
      since: start - minute,
      to: start + 1,
      alignment: { sampling: { size: 1, unit: 'minutes' }, missingValues },
    })
    const beyond = {
      NULL: [null],
      ZERO: [0],
      SEARCH: [],
      SEARCH_OR_NULL: [null],
      SEARCH_OR_ZERO: [0],
    }
    expect(never).toEqual([...beyond[paddingPolicy], 0])
  },
)

test('a formula is computed over sources side by side, and reduced [C-20]', async () => {
  const map = 'flow / power'
  const functions = { formula: { map } }
  const sources = named('flow', 'power')
  const at = { sampling: hours, missingValues: { fillPolicy: 'USE_NULL' } } as const
  expect(await valuesOf({ sources, functions, alignment: at })).toEqual([
    null,
    8.95,
    null,
    1004.5 / 30,
  ])
  const reduce = { operator: 'max' }
  const [reduced] = await ask({ sources, functions: { formula: { map, reduce } }, alignment: at })
  expect(reduced).toMatchObject({ types: ['datetime', 'double'], data: [[start, 1004.5 / 30]] })
  expect(
    await rowsOf({
      sources: named('flow'),
      functions: { formula: { map: 'delta(flow)' } },
      since: start + hour,
      limit: 3,
    }),
  ).toEqual([
    [start + hour, null],
    [start + hour + minute, 1],
    [start + hour + 2 * minute, 1],
  ])
  const both = [
    { deviceId: pump, modelPath: 'Probe:1/flow', tagName: 'p' },
    { deviceId: oven, modelPath: 'Probe:1/flow', tagName: 'o' },
  ]
  const power = { sources: both, functions: { formula: { map: 'p + o' } } }
  expect(await valuesOf({ ...power, alignment: { source: 'o' } })).toEqual([5, 64, 122, 1002])
  await refused(
    { sources: both.map(unnamed), functions: { formula: { map: 'flow' } } },
    'functions.formula.map',
  )
  await refused({ functions: { formula: { map: 'flow +' } } }, 'functions.formula.map')
  await refused({ functions: { formula: { map: 'gone' } } }, 'functions.formula.map')
  await refused({ alignment: { source: 'gone' } }, 'alignment')
})

test('a window follows: one figure of each stretch, moving, or none', async () => {
  const alignment = { sampling: { size: 30, unit: 'minutes' }, aggregation: 'last' } as const
  const of = (mode: 'SCALAR' | 'MOVING' | 'DISABLED', more: object = {}) =>
    valuesOf({ to: start + 2 * hour, alignment, aggregation: { type: 'max', mode, ...more } })
  expect(await of('DISABLED')).toEqual([29, 59, 89, 119])
  expect(await of('SCALAR')).toEqual([119])
  expect(await of('SCALAR', { size: 1, unit: 'hours' })).toEqual([59, 119])
  const average = { type: 'average', mode: 'MOVING', size: 1, unit: 'hours' } as const
  expect(await valuesOf({ to: start + 2 * hour, alignment, aggregation: average })).toEqual([
    29, 44, 74, 104,
  ])
  await refused({ aggregation: { type: 'max', mode: 'MOVING' } }, 'aggregation')
  // Without a beginning the extent says how many stretches there are.
  const { data = [] } = (
    await ann.tags({
      params: { org, deviceId: pump },
      query: {
        modelPath: 'Probe:1/flow',
        to: range.to,
        aggregation: '{"mode":"SCALAR","type":"sum","size":1,"unit":"hours","extent":2}',
      },
    })
  )[0] ?? { data: [] }
  expect(data).toEqual([[start + 3 * hour, 10_045]])
})

test('conditions leave values out: raw ones, figures, and fields of structs [C-20]', async () => {
  const aggregation = { type: 'count', sampling: hours }
  expect(await valuesOf({ filterCondition: 'value > 115' })).toEqual([
    116,
    117,
    118,
    119,
    ...Array.from({ length: 10 }, (_, index) => 1000 + index),
  ])
  expect(await valuesOf({ filterCondition: 'value % 2 == 0', aggregation })).toEqual([30, 30, 5])
  expect(
    await valuesOf({ filterCondition: 'value < 20', filterRawData: false, aggregation }),
  ).toEqual([10])
  expect(
    await valuesOf({ filters: { beforeAlignment: { condition: 'value >= 1000' } }, aggregation }),
  ).toEqual([10])
  expect(await valuesOf({ filters: { post: { condition: 'value > 1005' } }, limit: 2 })).toEqual([
    1006, 1007,
  ])
  const motor = { sources: named('motor') }
  expect(await valuesOf({ ...motor, filterCondition: "speed > 50 and mode != 'm2'" })).toEqual([
    { speed: 100, mode: 'm1' },
  ])
  expect(await valuesOf({ ...motor, filterStructFields: ['mode'], limit: 1 })).toEqual([
    { mode: 'm0' },
  ])
  await refused({ filterCondition: 'value >' }, 'filterCondition')
  await refused({ filters: { post: { condition: '(' } } }, 'filters.post.condition')
})

test('a table has the paths of a device side by side', async () => {
  const sources = named('flow', 'power', 'state')
  const [table] = await ask({
    sources,
    format: 'table',
    alignment: { sampling: hours, missingValues: { fillPolicy: 'USE_NULL' } },
  })
  expect(table).toMatchObject({
    deviceId: pump,
    header: ['timestamp', 'flow', 'power', 'state'],
    types: ['datetime', 'double', 'double', 'string'],
  })
  expect(table?.data[2]).toEqual([start + 2 * hour, null, 20, 's2'])
  const [raw] = await ask({ sources: named('power', 'state'), format: 'table' })
  expect(raw?.data.at(-1)).toEqual([start + 3 * hour, 30, null])
  const [few] = await ask({
    sources: named('power', 'state'),
    format: 'table',
    filters: { post: { condition: 'power > 5', fields: ['Probe:1/power', 'Probe:1/state'] } },
    limit: 1,
  })
  expect(few?.data).toEqual([[start + hour, 10, 's1']])
  const each = await ask({
    sources: [...named('power'), { deviceId: oven, modelPath: '**' }],
    format: 'table',
  })
  expect(each.map(({ deviceId, header }) => [deviceId, header])).toEqual([
    [pump, ['timestamp', 'value']],
    [oven, ['timestamp', 'value']],
  ])
  const newest = await ann.tags({
    params: { org, deviceId: pump },
    query: { modelPath: 'Probe:1/*', format: 'table', limit: 1 },
  })
  expect(newest[0]?.header).toHaveLength(6)
})

test('paths are resolved and described without their values', async () => {
  const sources = [{ deviceId: pump, modelPath: 'Probe:1/*' }]
  const paths = await ask({ sources, action: 'RESOLVE' })
  expect(paths.map(({ modelPath, data }) => [modelPath, data.length]).toSorted()).toEqual(
    ['flow', 'motor', 'on', 'power', 'state'].map((name) => [`Probe:1/${name}`, 0]),
  )
  const [flow] = await ask({ action: 'DESCRIBE' })
  expect(flow).toMatchObject({
    header: ['from', 'to', 'count', 'min', 'max', 'average', 'first', 'last'],
  })
  const all = [start, start + 3 * hour + 9 * minute, 130, 0, 1009]
  expect(flow?.data[0]?.slice(0, 5)).toEqual(all)
  const [odd] = await ask({
    action: 'DESCRIBE',
    filterCondition: 'value > 1000',
    timestampFormat: 'iso8601',
  })
  expect(odd?.data[0]?.slice(0, 3)).toEqual([
    '2026-01-05T03:01:00.000Z',
    '2026-01-05T03:09:00.000Z',
    9,
  ])
})

test('days are those of the zone [C-20]', async () => {
  const aggregation = { type: 'count', sampling: { size: 1, unit: 'days' } }
  const zone = { aggregation, timezone: 'Asia/Kolkata', timestampFormat: 'iso8601' } as const
  const since = start - 24 * hour
  expect(await rowsOf({ ...zone, since })).toEqual([['2026-01-05T00:00:00.000+05:30', 130]])
  expect(
    await rowsOf({
      ...zone,
      since: start + hour,
      aggregation: { type: 'last', sampling: { size: 1, unit: 'month' } },
    }),
  ).toEqual([['2026-01-05T06:30:00.000+05:30', 1009]])
})

test('a question that is too large or cannot be is refused at its field, with the way out', async () => {
  const second = { size: 1, unit: 'milliseconds' }
  await refused({ aggregation: { type: 'sum', sampling: second } }, 'aggregation')
  await refused({ alignment: { sampling: second } }, 'alignment')
  await refused(
    { alignment: { sampling: hours }, aggregation: { type: 'sum', sampling: hours } },
    'alignment',
  )
  await refused({ aggregation: { type: 'sum' } }, 'aggregation')
  await refused({ timezone: 'Nowhere/City' }, 'timezone')
  const few = { size: 150, unit: 'milliseconds' }
  const sources = Array.from({ length: 30 }, (_, index) => ({
    ...named('flow')[0]!,
    tagName: `f${index}`,
  }))
  await refused({ sources, format: 'table', alignment: { sampling: few } }, 'sources', 422)
  const many = [...sources, ...sources.map((one) => ({ ...one, tagName: `${one.tagName}x` }))]
  await refused({ sources: many, format: 'table' }, 'sources', 422)
  const slow = ask({
    queryTimeout: 1,
    aggregation: { type: 'p50', sampling: { size: 150, unit: 'milliseconds' } },
    sources: many.map(unnamed),
  })
  await expect(slow).rejects.toMatchObject({
    status: 422,
    code: 'platform.query_timeout',
    details: { field: 'queryTimeout' },
  })
})

test('path rights hold in every form: what is not shown is in no table, formula or description', async () => {
  platform.rights['looker'] = {
    exor: { capability: allOnDevices, below: false, dataEnabled: false },
  }
  const looker = platform.as(person('looker', 'exor', org), platformContract)
  const forms: Partial<Body>[] = [
    {},
    { format: 'table' },
    { action: 'DESCRIBE' },
    { action: 'RESOLVE' },
    { aggregation: { type: 'max', sampling: hours } },
    { filterCondition: 'value > 1' },
  ]
  for (const more of forms) {
    const body = { sources: named('flow'), ...range, ...more }
    expect(await looker.queryTags({ params: { org }, body })).toEqual([])
  }
  const body = { sources: named('flow'), ...range, functions: { formula: { map: 'flow' } } }
  await expect(looker.queryTags({ params: { org }, body })).rejects.toMatchObject({ status: 400 })
  const foreign = platform.member('eve', 'acme')
  const elsewhere = foreign.queryTags({
    params: { org: 'acme' },
    body: { sources: named('flow'), ...range },
  })
  await expect(elsewhere).rejects.toMatchObject({ status: 404 })
})

test('by name and by group the same can be asked, in the query string [C-20]', async () => {
  const query = {
    modelPath: 'Probe:1/flow',
    ...range,
    aggregation: JSON.stringify({
      type: 'average',
      sampling: { extent: 120, size: 60, unit: 'minutes' },
    }),
    alignment: JSON.stringify({ missingValues: { fillPolicy: 'USE_ZERO' } }),
  }
  const [one] = await ann.tagsByName({ params: { org, name: 'Pump' }, query })
  expect(one?.data.map(([, v]) => v)).toEqual([29.5, 89.5, 0, 1004.5])
  const [other] = await ann.tagsOfGroup({ params: { org, group: '3' }, query })
  expect(other?.data).toEqual(one?.data)
})

test('the examples of the guide are answered', async () => {
  const guide = await readFile(
    new URL('../../../../docs/guide/queries.md', import.meta.url),
    'utf8',
  )
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text ?? '')
  expect(examples.length).toBeGreaterThan(5)
  for (const example of examples) {
    const body = JSON.parse(example.replaceAll('DEVICE', pump)) as Body
    const found = await ann.queryTags({ params: { org }, body })
    expect([example, found.some(({ data }) => data.length > 0)]).toEqual([example, true])
  }
})

test('the quality of a value goes with it, and that of the worst with a bucket and a formula [R-16]', async () => {
  const data: [number, unknown, ...unknown[]][] = [
    [start, 1],
    [start + minute, 2, 1],
    [start + 2 * minute, 3, 2],
    [start + 2 * hour, 4],
  ]
  const body = [{ deviceId: oven, modelPath: 'Probe:1/power', data }]
  await ann.bulkInsertTags({ params: { org }, query: {}, body })
  const ask = async (more: Partial<Body>) => {
    const sources = [{ deviceId: oven, modelPath: 'Probe:1/power', tagName: 'a' }]
    const range = { since: start, to: start + 3 * hour, quality: true }
    const [answer] = await ann.queryTags({ params: { org }, body: { sources, ...range, ...more } })
    return answer
  }
  const raw = await ask({})
  expect(raw?.header).toEqual(['timestamp', 'value', 'quality'])
  expect(raw?.data.map(([, v, q]) => [v, q])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
  ])
  const sampling = { size: 1, unit: 'hours' } as const
  const figures = await ask({ aggregation: { type: 'average', sampling } })
  expect(figures?.data.map(([, v, q]) => [v, q])).toEqual([
    [2, 2],
    [4, 0],
  ])
  const formula = await ask({ functions: { formula: { map: 'a * 10' } } })
  expect(formula?.data.map(([, v, q]) => [v, q])).toEqual([
    [10, 0],
    [20, 1],
    [30, 2],
    [40, 0],
  ])
  const bad = [
    {
      deviceId: oven,
      modelPath: 'Probe:1/power',
      data: [[start, 1, 'poor']] as [number, unknown, string][],
    },
  ]
  await expect(ann.bulkInsertTags({ params: { org }, query: {}, body: bad })).rejects.toMatchObject(
    { status: 422 },
  )
})
