import { everyAction } from '@longreach/authorization/capability'
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

const deviceId = newDeviceId()
const below = newDeviceId()
const foreign = newDeviceId()
const org = 'exor'
const params = { org, deviceId }
const start = Date.parse('2026-01-05T00:00:00Z')
const minute = 60_000
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>

const configuration = configurationText({
  level: { type: 'double' },
  state: { type: 'string' },
  set: { type: 'double', mode: 'RW' },
})

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(start + 86_400_000))
  const facts = { realm: 'exor', groups: [3], configuration }
  platform.register.devices.set(deviceId, { label: 'Tank', orgResourceId: org, ...facts })
  platform.register.devices.set(below, {
    label: 'Tank below',
    orgResourceId: 'exor.south',
    ...facts,
  })
  platform.register.devices.set(foreign, { label: 'Foreign', orgResourceId: 'acme', ...facts })
  ann = platform.member('ann', org)
  const rows = (count: number, value: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index): [number, unknown] => [
      start + index * minute,
      value(index),
    ])
  await ann.bulkInsertTags({
    params: { org },
    query: {},
    body: [
      { deviceId, modelPath: 'Probe:1/level', data: rows(600, (index) => index) },
      {
        deviceId,
        modelPath: 'Probe:1/state',
        data: [[new Date(start).toISOString(), 'on, "really"']],
      },
    ],
  })
  for (const id of [deviceId, below, foreign]) await platform.change(id, {})
  await platform.settle()
})
afterAll(() => platform.close())

const level = { modelPath: 'Probe:1/level', since: start, to: start + 600 * minute }
const raw = async (query: Record<string, string | number>) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  )
  const url = `${platform.site.origin}${platformContract.base}/organizations/${org}/devices/${deviceId}/tags?${search}`
  return fetch(url, { headers: { authorization: platform.tokenOf('ann', org) } })
}

test('values are read from since, to to, at most limit [C-20]', async () => {
  const all = await ann.tags({ params, query: level })
  expect(all[0]?.data).toHaveLength(600)
  const some = await ann.tags({ params, query: { ...level, since: start + minute, limit: 2 } })
  expect(some[0]?.data).toEqual([
    [start + minute, 1],
    [start + 2 * minute, 2],
  ])
  const after = await ann.tags({
    params,
    query: { modelPath: level.modelPath, sinceAfter: start + minute, to: start + 3 * minute },
  })
  expect(after[0]?.data).toEqual([[start + 2 * minute, 2]])
  const newest = await ann.tags({ params, query: { modelPath: level.modelPath, limit: 2 } })
  expect(newest[0]?.data.map(([, v]) => v)).toEqual([598, 599])
  const last = await ann.tags({ params, query: { limit: 1 } })
  expect(last.map(({ modelPath, data }) => [modelPath, data[0]?.[1]])).toEqual([
    ['Probe:1/level', 599],
    ['Probe:1/state', 'on, "really"'],
  ])
  const relative = await ann.tags({ params, query: { ...level, since: 'now-24h', to: 'now' } })
  expect(relative[0]?.data).toHaveLength(600)
})

test('an aggregation gives one figure for each step', async () => {
  const aggregation = {
    type: 'average',
    sampling: { extent: 120, size: 60, unit: 'minutes' },
  } as const
  const [hours] = await ann.tags({
    params,
    query: { ...level, aggregation: JSON.stringify(aggregation) },
  })
  expect(hours?.data.slice(0, 2)).toEqual([
    [start, 29.5],
    [start + 60 * minute, 89.5],
  ])
  expect(hours?.data).toHaveLength(10)
  const [max] = await ann.tags({
    params,
    query: {
      ...level,
      aggregation: JSON.stringify({ type: 'max', sampling: { size: 10, unit: 'hours' } }),
    },
  })
  expect(max?.data).toEqual([[start, 599]])
})

test('a chart gets two points for each pixel, and gaps stay', async () => {
  const [chart] = await ann.tags({
    params,
    query: { ...level, downsampling: JSON.stringify({ size: 10 }) },
  })
  expect(chart?.data).toHaveLength(20)
  expect(chart?.data.slice(0, 2)).toEqual([
    [start, 0],
    [start + 30 * minute, 59],
  ])
  const gap = { ...level, to: start + 1200 * minute, downsampling: JSON.stringify({ size: 20 }) }
  const [few] = await ann.tags({ params, query: { ...gap, since: start + 598 * minute } })
  expect(few?.data).toEqual([
    [start + 598 * minute, 598],
    [start + 599 * minute, 599],
  ])
})

test('CSV has ISO times in the zone that was asked for', async () => {
  const response = await raw({
    modelPath: '**',
    since: start,
    to: start + 1,
    format: 'csv',
    timezone: 'Europe/Rome',
  })
  expect(response.headers.get('content-type')).toContain('text/csv')
  expect(await response.text()).toBe(
    `timestamp,deviceId,modelPath,value\r\n2026-01-05T01:00:00.000+01:00,${deviceId},Probe:1/level,0\r\n2026-01-05T01:00:00.000+01:00,${deviceId},Probe:1/state,"on, ""really"""\r\n`,
  )
})

test('times are ISO where asked, and the legacy form has objects', async () => {
  const [iso] = await ann.tags({
    params,
    query: { ...level, limit: 1, timestampFormat: 'iso8601' },
  })
  expect(iso?.data).toEqual([['2026-01-05T00:00:00.000Z', 0]])
  const legacy = await (await raw({ ...level, limit: 1, format: 'legacy' })).json()
  expect(legacy).toEqual([
    { deviceId, modelPath: 'Probe:1/level', data: [{ timestamp: start, value: 0 }] },
  ])
})

test.each([
  [{ since: 'yesterday' }, 'since'],
  [{ since: start, to: start - 1 }, 'since'],
  [{ since: start, timezone: 'Mars/Base' }, 'timezone'],
  [{ downsampling: '{"size":10}' }, 'since'],
  [
    { since: start, aggregation: '{"type":"average","sampling":{"size":1,"unit":"milliseconds"}}' },
    'aggregation',
  ],
  [{ since: start, downsampling: '{"size":10}', limit: 5 }, 'limit'],
  [
    {
      since: start,
      downsampling: '{"size":10}',
      aggregation: '{"type":"average","sampling":{"size":1,"unit":"hours"}}',
    },
    'downsampling',
  ],
])('a question that cannot be is refused: %j', async (query, field) => {
  const refused = ann.tags({ params, query: { modelPath: '**', ...query } })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'platform.bad_query',
    details: { field },
  })
})

test('several sources are read in one question', async () => {
  const sources = [
    { deviceId, modelPath: 'Probe:1/level' },
    { deviceId, modelPath: 'Probe:1/state' },
  ]
  const both = await ann.queryTags({
    params: { org },
    body: { sources, since: start, to: start + 1 },
  })
  expect(both.map(({ modelPath }) => modelPath)).toEqual(['Probe:1/level', 'Probe:1/state'])
  const named = await ann.tagsByName({ params: { org, name: 'Tank' }, query: { limit: 1 } })
  expect(named).toHaveLength(2)
  const grouped = await ann.tagsOfGroup({ params: { org, group: '3' }, query: { limit: 1 } })
  expect(grouped.every((one) => one.deviceId === deviceId)).toBe(true)
})

test('values brought in once more are skipped or corrected', async () => {
  const body = [
    {
      deviceId,
      modelPath: 'Probe:1/set',
      data: [
        [String(start), 1],
        [String(start + 1), 2],
      ] as [string, unknown][],
    },
  ]
  const bring = (ifNotExists: string) =>
    ann.bulkInsertTags({ params: { org }, query: { ifNotExists } as never, body })
  expect(await bring('true')).toEqual({ inserted: 2, skipped: 0 })
  expect(await bring('true')).toEqual({ inserted: 0, skipped: 2 })
  const corrected = [{ ...body[0]!, data: [[start, 7]] as [number, unknown][] }]
  await ann.bulkInsertTags({ params: { org }, query: {}, body: corrected })
  const [set] = await ann.tags({ params, query: { modelPath: 'Probe:1/set', since: start } })
  expect(set?.data).toEqual([
    [start, 7],
    [start + 1, 2],
  ])
  const wrong = [{ ...body[0]!, data: [[start, 'x']] as [number, unknown][] }]
  await expect(
    ann.bulkInsertTags({ params: { org }, query: {}, body: wrong }),
  ).rejects.toMatchObject({ code: 'platform.bad_value' })
})

test('the explorer sees every path with its newest value', async () => {
  const paths = await ann.series({ params })
  expect(paths.map(({ modelPath, mode, last }) => [modelPath, mode, last?.v ?? null])).toEqual([
    ['Probe:1/level', 'R', 599],
    ['Probe:1/state', 'R', 'on, "really"'],
    ['Probe:1/set', 'RW', 2],
  ])
})

test('devices are listed by page with their names and attributes, those below when asked [C-21]', async () => {
  await platform.change(deviceId, { attributes: { site: 'Hall 4' } })
  const page = await ann.devices({
    params: { org },
    query: { details: 'true', pageSize: 1 } as never,
  })
  expect(page).toMatchObject({
    totalElements: 1,
    last: true,
    data: [
      {
        id: deviceId,
        connected: false,
        aliases: { label: 'Tank' },
        attributes: { site: 'Hall 4', orgResourceId: org },
      },
    ],
  })
  expect(page.links.next).toBeNull()
  platform.rights['boss'] = { exor: { capability: allOnDevices, below: true } }
  const boss = platform.as(person('boss', 'exor', 'exor'), platformContract)
  const all = await boss.devices({ params: { org: 'exor.*' }, query: {} })
  expect(all.data.toSorted()).toEqual([deviceId, below].toSorted())
  const [one] = await boss
    .tags({ params: { org, deviceId: below }, query: {} })
    .then((tags) => [tags])
  expect(one).toEqual([])
})

test('listed devices have counts of open alarms for who sees all alarms of them [C-21] [A-03]', async () => {
  const open = { alarms: { n_active_6: 2 }, alarms_max_severity: 6 }
  await platform.change(deviceId, { attributes: { site: 'Hall 4', ...open } })
  const alarms = { alarms: everyAction }
  const level = { groups: null, mask: everyAction, read: ['Probe:1/level'], history: [], write: [] }
  const capabilities = {
    whole: { grants: { ...allOnDevices.grants, ...alarms }, deviceGroups: [] },
    silent: allOnDevices,
    some: { grants: alarms, deviceGroups: [], paths: [level] },
  }
  for (const [who, capability] of Object.entries(capabilities)) {
    platform.rights[who] = { exor: { capability, below: false } }
    const reader = platform.as(person(who, 'exor', 'exor'), platformContract)
    const query = { details: 'true' } as never
    const [listed] = (await reader.devices({ params: { org }, query })).data
    const attributes = { site: 'Hall 4', ...(who === 'whole' && open), orgResourceId: org }
    expect(listed).toEqual(expect.objectContaining({ id: deviceId, attributes }))
  }
})

test("another organization's device, and one below without the right, are not there", async () => {
  for (const id of [foreign, below, newDeviceId()]) {
    const gone = { status: 404, code: 'platform.not_found' }
    const of = { params: { org, deviceId: id } }
    await expect(ann.tags({ ...of, query: {} })).rejects.toMatchObject(gone)
    await expect(ann.series(of)).rejects.toMatchObject(gone)
    await expect(ann.status({ ...of, query: {} })).rejects.toMatchObject(gone)
    await expect(ann.configuration(of)).rejects.toMatchObject(gone)
    await expect(ann.console(of)).rejects.toMatchObject(gone)
    await expect(
      ann.writeTags({ ...of, body: { data: [{ modelPath: 'Probe:1/set', v: 1 }] } }),
    ).rejects.toMatchObject(gone)
    const body = { sources: [{ deviceId: id, modelPath: '**' }], since: start }
    await expect(ann.queryTags({ params: { org }, body })).rejects.toMatchObject(gone)
  }
})

test('who sees only a group sees no other device, and who may only read does not write', async () => {
  platform.rights['guest'] = {
    exor: { capability: { grants: {}, deviceGroups: [{ mask: 1, groups: [9] }] }, below: false },
  }
  const guest = platform.as(person('guest', 'exor', org), platformContract)
  await expect(guest.tags({ params, query: {} })).rejects.toMatchObject({ status: 404 })
  expect((await guest.devices({ params: { org }, query: {} })).data).toEqual([])
  platform.rights['reader'] = {
    exor: { capability: { grants: { devices: 1 }, deviceGroups: [] }, below: false },
  }
  const reader = platform.as(person('reader', 'exor', org), platformContract)
  expect(await reader.tags({ params, query: { limit: 1 } })).toHaveLength(3)
  const write = reader.writeTags({ params, body: { data: [{ modelPath: 'Probe:1/set', v: 1 }] } })
  await expect(write).rejects.toMatchObject({ status: 403 })
})

test('the explorer has the words of the model for each path, in arrays for every item [C-20]', async () => {
  const id = newDeviceId()
  const zone = { label: 'Zone', unit: '°C', description: '' }
  const node = (name: string) => ({
    type: 'double',
    mapping: { device_endpoint: `/x.y/u/${name}` },
  })
  const told = {
    type: 'datamodel',
    properties: {
      Oven: {
        UUID: 'u',
        instanceOf: 'Oven:1.0.0',
        type: 'object',
        policies: {},
        interfaces: [],
        properties: {
          zones: {
            type: 'array',
            length: 2,
            item: { type: 'object', properties: { t: node('${0}') } },
          },
          plain: node('plain'),
        },
      },
    },
  }
  platform.register.devices.set(id, {
    label: 'Oven',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration: JSON.stringify(told),
    facts: [
      { path: 'Oven:1/zones[*]', ...zone, label: 'Baking zone' },
      { path: 'Oven:1/zones[*]/t', ...zone },
    ],
  })
  const of = { params: { org, deviceId: id } }
  expect(await ann.series(of)).toEqual([
    { modelPath: 'Oven:1/zones[0]/t', label: 'Zone', unit: '°C', group: 'Baking zone', ...unread },
    { modelPath: 'Oven:1/zones[1]/t', label: 'Zone', unit: '°C', group: 'Baking zone', ...unread },
    { modelPath: 'Oven:1/plain', ...unread },
  ])
  await platform.change(id, { facts: [{ path: 'Oven:1/plain', ...zone, unit: 'bar' }] })
  await platform.settle()
  expect((await ann.series(of)).map(({ unit }) => unit ?? null)).toEqual([null, null, 'bar'])
})
const unread = { type: 'double', mode: 'R', last: null }

test.each([
  ['format', 'xml'],
  ['timestampFormat', 'rfc'],
  ['action', 'GUESS'],
  ['aggregation', '{"type":"mode","sampling":{"size":1,"unit":"hours"}}'],
  ['alignment', '{"missingValues":{"fillPolicy":"GUESS"}}'],
  ['filters', '{"post":{"fields":"value"}}'],
  ['limit', '0'],
])('a field that says what there is not is refused by name: %s [C-20]', async (field, text) => {
  const response = await raw({ ...level, [field]: text })
  expect(response.status).toBe(400)
  const { details } = (await response.json()) as { details: { fields: { field: string }[] } }
  expect(details.fields.map((one) => one.field.split('.')[0])).toEqual([field])
})

test('a field that says nothing is no question', async () => {
  const response = await raw({ ...level, filterCondition: '', filterRawData: 'false', filters: '' })
  expect(response.status).toBe(200)
  const sources = [{ deviceId, modelPath: 'Probe:1/level', tagName: 'L' }]
  const body = { sources, since: start, to: start + 1, filterStructFields: [], filters: {} }
  expect(await ann.queryTags({ params: { org }, body })).toMatchObject([{ tagName: 'L' }])
})

test('an aggregation keeps to its limit: the first steps after since, else the newest', async () => {
  const hours = (more: object) =>
    ann
      .tags({
        params,
        query: {
          modelPath: level.modelPath,
          to: level.to,
          limit: 2,
          aggregation: JSON.stringify({
            type: 'last',
            sampling: { size: 1, unit: 'hours', extent: 10 },
          }),
          ...more,
        },
      })
      .then(([found]) => found?.data.map(([, v]) => v))
  expect(await hours({ since: start })).toEqual([59, 119])
  expect(await hours({})).toEqual([539, 599])
})

const machine = {
  device: newDeviceId(),
  path: 'Probe:1/machine',
  rows: 1_000,
}
async function structs() {
  const { device, path, rows } = machine
  if (platform.register.devices.has(device)) return
  platform.register.devices.set(device, {
    label: 'Machine',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration: configurationText({
      machine: {
        type: 'struct',
        properties: {
          speed: { type: 'integer' },
          mode: { type: 'string' },
          on: { type: 'boolean' },
        },
      },
    }),
  })
  const data = Array.from({ length: rows }, (_, index): [number, unknown] => [
    start + index * minute,
    { speed: index, mode: `m${index}`, on: index % 2 === 0 },
  ])
  const body = [{ deviceId: device, modelPath: path, data }]
  await ann.bulkInsertTags({ params: { org }, query: {}, body })
}
const ofMachine = { org, deviceId: machine.device }

test("a struct's field is answered with its own type [C-20]", async () => {
  await structs()
  const typeOf = async (name: string) => {
    const query = { modelPath: `${machine.path}${name}`, limit: 1 }
    return (await ann.tags({ params: ofMachine, query }))[0]?.types
  }
  expect(await typeOf('')).toEqual(['datetime', 'json'])
  expect(await typeOf('/speed')).toEqual(['datetime', 'integer'])
  expect(await typeOf('/mode')).toEqual(['datetime', 'string'])
  expect(await typeOf('/on')).toEqual(['datetime', 'boolean'])
})

test('a chart of what is no number has the ends of each step, to the newest value', async () => {
  await structs()
  const asked = { since: start, to: start + 1_000 * minute, downsampling: '{"size":10}' }
  const of = async (name: string) => {
    const query = { modelPath: `${machine.path}${name}`, ...asked }
    return (await ann.tags({ params: ofMachine, query }))[0]?.data ?? []
  }
  const modes = await of('/mode')
  expect(modes).toHaveLength(20)
  expect(modes.slice(0, 2).map(([, v]) => v)).toEqual(['m0', 'm99'])
  expect(modes.at(-1)).toEqual([start + 999 * minute, 'm999'])
  expect((await of('')).at(-1)?.[1]).toMatchObject({ speed: 999 })
  const speeds = await of('/speed')
  expect(speeds).toHaveLength(20)
  expect(speeds.map(([, v]) => v).slice(-2)).toEqual([900, 999])
})

test("figures of a struct's field are of that field", async () => {
  await structs()
  const aggregation = JSON.stringify({ type: 'average', sampling: { size: 500, unit: 'minutes' } })
  const query = { modelPath: `${machine.path}/speed`, since: start, to: start + 1_000 * minute }
  const [found] = await ann.tags({ params: ofMachine, query: { ...query, aggregation } })
  expect(found?.data.map(([, v]) => v)).toEqual([249.5, 749.5])
})

test('GET and POST ask alike to send the configuration again, for who may change it [C-21]', async () => {
  const of = { params }
  expect(await ann.syncStatus(of)).toEqual({ connected: false })
  expect(await ann.syncStatusByGet(of)).toEqual({ connected: false })
  platform.rights['looker'] = {
    exor: { capability: { grants: { devices: 1 }, deviceGroups: [] }, below: false },
  }
  const looker = platform.as(person('looker', 'exor', org), platformContract)
  await expect(looker.syncStatusByGet(of)).rejects.toMatchObject({ status: 403 })
  const elsewhere = { params: { org, deviceId: foreign } }
  await expect(ann.syncStatusByGet(elsewhere)).rejects.toMatchObject({ status: 404 })
})
