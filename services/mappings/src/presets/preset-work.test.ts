import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testNow, testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const second = 1_000
const start = testNow.getTime() - 3_600_000

beforeAll(async () => {
  const services = [identityForTests, core, mappings, platform]
  server = await testServer(services, { admit: coreAuthorizer })
  seeded = await seed(server)
  await as('administrator').createModel({ query, body: { name: 'Oven:1.0.0', data: model } })
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const asCore = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const asPlatform = (who: keyof Seeded['people']) => server.as(seeded.people[who], platformContract)

const model = {
  type: 'object',
  properties: {
    temperature: { type: 'double' },
    setpoint: { type: 'double' },
    deviation: { type: 'double' },
    twice: { type: 'double' },
    door: { type: 'boolean' },
  },
}
const onChange = (more: object = {}) => ({
  triggers: [{ type: 'onchange', changeMask: 'value', minIntervalMs: 0, ...more }],
})
const leaf = (source: string, more: object = {}) => ({
  version: '1.0.0',
  type: 'double',
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy: onChange(),
  datalink: { source },
  ...more,
})
const formula = (map: string, more: object = {}) => ({
  version: '1.0.0',
  type: 'double',
  mode: 'R',
  historyPolicy: { enabled: true },
  datalink: { type: 'formula', source: { functions: { formula: { map } } } },
  ...more,
})
const preset = (properties: Record<string, unknown>) => ({
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  UUID: 'z5kn06t96oqqm3fl',
  properties,
})
const plain = preset({ temperature: leaf('T1'), setpoint: leaf('SP') })

let counter = 0
const create = (data: Record<string, unknown> = plain, name = `P${(counter += 1)}`) =>
  as('administrator').createPreset({ query, body: { name, data } })
const device = async (presetId?: string, label = `D${(counter += 1)}`) =>
  (await as('administrator').createDevice({ query, body: { label, presetId } })).deviceId

const text = async (id: string) => {
  const fetch = server.fetchAs(seeded.people.viewer)
  const path = `/svc/mappings/api/v1/presets/${id}/deviceConfiguration?organization=${organization}`
  return (await fetch(path)).text()
}

test('a preset is made beside the call, with its keys in order, under both names (trap 17) [T-09]', async () => {
  const data = { ...preset({ temperature: leaf('T1') }), zzz: 1, aaa: 2 }
  for (const base of ['presets', 'mappings']) {
    const fetch = server.fetchAs(seeded.people.administrator)
    const at = (rest: string) =>
      `/svc/mappings/api/v1/${base}/async${rest}?organization=${organization}`
    const started = await fetch(at(''), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Async ${base}`, data }),
    })
    const job = (await started.json()) as { id: string }
    expect(job).toEqual({ id: expect.any(String), status: 'PROCESSING', error: null })
    await server.settle()
    const done = await (await fetch(at(`/${job.id}`))).json()
    expect(done).toEqual({ id: job.id, status: 'DONE', error: null })
    const { result } = await as('administrator').job({ params: { jobId: job.id }, query })
    const { presetId } = result as { presetId: string }
    const { value } = await as('viewer').preset({ params: { id: presetId }, query })
    expect(JSON.stringify(value.json)).toBe(JSON.stringify(data))
  }
})

test('a preset that cannot be made ends its job with what is wrong, and nobody else sees the job [T-09]', async () => {
  const body = { name: 'Bad', data: preset({ nowhere: leaf('T1') }) }
  const { id: jobId } = await as('administrator').createPresetAsync({ query, body })
  await server.settle()
  const params = { jobId }
  const job = await as('administrator').presetJob({ params, query })
  expect(job).toEqual({ id: jobId, status: 'ERROR', error: expect.stringContaining('nowhere') })
  await expect(as('owner').presetJob({ params, query })).rejects.toMatchObject({ status: 404 })
  await expect(as('viewer').createPresetAsync({ query, body })).rejects.toMatchObject({
    status: 403,
  })
})

test('devices get a preset as a job, and those that cannot are named [C-26][T-09]', async () => {
  const { id } = await create()
  const ids = [await device(undefined, 'Left'), await device(undefined, 'Right')]
  const foreign = 'AAAAAAAAAAAAAAAAAAAAAA'
  const { id: jobId } = await as('administrator').givePreset({
    params: { id },
    query,
    body: { deviceIds: [...ids, foreign] },
  })
  await server.settle()
  const params = { jobId }
  const job = await as('administrator').job({ params, query })
  expect(job).toMatchObject({ state: 'DONE', total: 3, done: 3, failed: 1 })
  const { data } = await as('administrator').jobFailures({ params, query })
  expect(data).toEqual([expect.objectContaining({ label: foreign, code: 'mappings.not_found' })])
  const uses = await as('viewer').presetUses({ query: { organization, ids: [id] } })
  expect(uses).toEqual([{ id, devices: 2, applied: 0, pending: 2, error: 0 }])
  const elsewhere = { params: { id }, query: { organization: 'nordwerk.press' } }
  const body = { deviceIds: ids }
  await expect(as('neighbour').givePreset({ ...elsewhere, body })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('viewer').givePreset({ params: { id }, query, body })).rejects.toMatchObject({
    status: 403,
  })
})

test('a group gets a preset, and its job says of which model it is [C-26]', async () => {
  const { id } = await create()
  const params = { group: '7' }
  const body = { presetId: id }
  const deviceId = await device()
  await server.database.pool.query(`update mappings.device set groups = '{7}' where id = $1`, [
    deviceId,
  ])
  const { id: jobId, ...job } = await as('administrator').configureGroup({ params, query, body })
  expect(job).toEqual({ instanceOf: 'Oven:1.0.0', status: 'PROCESSING', error: null })
  await server.settle()
  expect(await as('administrator').groupJob({ params: { ...params, jobId }, query })).toEqual({
    id: jobId,
    instanceOf: 'Oven:1.0.0',
    status: 'DONE',
    error: null,
  })
  const [use] = await as('viewer').presetUses({ query: { organization, ids: [id] } })
  expect(use).toMatchObject({ devices: 1 })
  const bad = as('administrator').configureGroup({ params, query, body: { presetId: 'none' } })
  await expect(bad).rejects.toMatchObject({ status: 404 })
  const org = seeded.organizations.service.id
  const made = { params: { org: String(org) }, body: { name: 'Empty group' } }
  const empty = await asCore('administrator').createSecurityPolicy(made)
  const inEmpty = { group: String(empty.id) }
  const begun = await as('administrator').configureGroup({ params: inEmpty, query, body })
  const running = { params: { ...inEmpty, jobId: begun.id }, query }
  const waiting = await as('administrator').groupJob(running)
  expect([begun.instanceOf, waiting.instanceOf]).toEqual(['Oven:1.0.0', 'Oven:1.0.0'])
  await server.settle()
  expect(await as('administrator').groupJob(running)).toMatchObject({ status: 'DONE' })
  const unknown = { params: { group: '999999' }, query, body }
  await expect(as('administrator').configureGroup(unknown)).rejects.toMatchObject({ status: 404 })
})

test('the trail says what of a preset changed, value by value [C-26]', async () => {
  const { id } = await create()
  const changed = preset({ temperature: leaf('T2'), setpoint: leaf('SP') })
  await as('administrator').updatePreset({ params: { id }, query, body: { data: changed } })
  await as('administrator').sharePreset({ params: { id }, query, body: { data: true } })
  await as('administrator').deletePreset({ params: { id }, query })
  const { rows } = await server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded' and payload->>'id' = $1 order by id`,
    [id],
  )
  expect(rows.map(({ payload }) => payload['action'])).toEqual([
    'create',
    'update',
    'update',
    'delete',
  ])
  expect(rows[1]?.payload).toMatchObject({
    resource: 'presets',
    before: { 'temperature: datalink': { source: 'T1' } },
    after: { 'temperature: datalink': { source: 'T2' } },
  })
  expect(Object.keys(rows[1]?.payload['after'] as object)).not.toContain('setpoint: datalink')
  expect(rows[2]?.payload).toMatchObject({
    before: { subOrgsEnabledToView: false },
    after: { subOrgsEnabledToView: true },
  })
})

test('a list of presets leaves their content out when asked to [C-26]', async () => {
  await create()
  const asked = { organization, page: 0, pageSize: 5 }
  const { data: bare } = await as('viewer').presets({ query: { ...asked, omitContent: true } })
  expect(bare.every((one) => one.name !== '' && !('json' in one))).toBe(true)
  const { data: whole } = await as('viewer').presets({ query: asked })
  expect(whole.every((one) => one.json?.['type'] === 'object')).toBe(true)
})

test('a change says only what changes, and never writes over somebody else [C-26]', async () => {
  const { id, updatedAt } = await create()
  const before = await text(id)
  const params = { id }
  const renamed = await as('administrator').updatePreset({ params, query, body: { name: 'New' } })
  expect(renamed.value).toMatchObject({ name: 'New', json: plain })
  expect(await text(id)).toBe(before)
  const body = { data: plain, unchangedSince: updatedAt - 1 }
  await expect(as('administrator').updatePreset({ params, query, body })).rejects.toMatchObject({
    status: 409,
    code: 'mappings.preset_changed',
  })
  await create(plain, 'Taken')
  const taken = as('administrator').updatePreset({ params, query, body: { name: 'Taken' } })
  await expect(taken).rejects.toMatchObject({ status: 409, code: 'mappings.preset_exists' })
})

test('an organization below sees and uses what its parent shares, and does not change it [C-26]', async () => {
  const upper = { organization: 'nordwerk' }
  await as('owner').createModel({ query: upper, body: { name: 'Oven:1.0.0', data: model } })
  const { id } = await as('owner').createPreset({
    query: upper,
    body: { name: 'Shared', data: plain },
  })
  const params = { id }
  const get = () => as('viewer').preset({ params, query })
  await expect(get()).rejects.toMatchObject({ status: 404 })
  const body = { data: true }
  expect(await as('owner').sharePreset({ params, query: upper, body })).toEqual({ data: true })
  expect((await get()).value).toMatchObject({ name: 'Shared', subOrgsEnabledToView: true })
  const { data } = await as('viewer').presets({
    query: { organization, search: 'shared', page: 0, pageSize: 10 },
  })
  expect(data.map((one) => one.id)).toEqual([id])
  await device(id)
  const run = await asPlatform('owner').dryRun({
    query: upper,
    body: { data: plain, presetId: id },
  })
  expect(run.uses.devices).toBe(1) // it gets what is saved above
  const change = as('administrator').updatePreset({ params, query, body: { name: 'Mine' } })
  await expect(change).rejects.toMatchObject({ status: 404 })
  await expect(as('administrator').sharePreset({ params, query, body })).rejects.toMatchObject({
    status: 404,
  })
  const foreign = as('foreigner').preset({ params, query: { organization: 'acqua' } })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
})

test('the paths of a preset are listed with their endpoints [C-26]', async () => {
  const once = { historyPolicy: { enabled: false }, mode: 'RW' }
  const { id } = await create(preset({ temperature: leaf('T1'), setpoint: leaf('SP', once) }))
  const list = (more: object = {}) =>
    as('viewer').platformMappings({ query: { organization, presetId: id, ...more } })
  expect((await list()).map(({ mode, modelPath }) => [mode, modelPath])).toEqual([
    ['READ', 'Oven:1/temperature'],
    ['READ_HISTORY', 'Oven:1/temperature'],
    ['READ', 'Oven:1/setpoint'],
    ['WRITE', 'Oven:1/setpoint'],
  ])
  expect(await list({ modeFilter: 'WRITE', modelPath: 'Oven:1/**' })).toEqual([
    {
      mode: 'WRITE',
      modelPath: 'Oven:1/setpoint',
      endpoint: expect.stringMatching(
        /^\/com\.exor\.[a-z0-9]{10}\/z5kn06t96oqqm3fl\/0\/setpoint$/,
      ) as string,
    },
  ])
  expect(await list({ modelPath: 'Oven:1/other' })).toEqual([])
  expect((await as('viewer').platformMappings({ query: { organization } })).length).toBeGreaterThan(
    4,
  )
})

test('a formula stays with the platform: the device is sent the tags only (trap 2) [V-01]', async () => {
  const data = preset({ temperature: leaf('T1'), deviation: formula('temperature - 20') })
  const { id } = await create(data)
  const sent = await text(id)
  expect(sent).toContain('temperature')
  expect(sent).not.toContain('deviation')
  const alone = await as('viewer').validatePreset({
    query,
    body: { data: preset({ deviation: formula('1 + 1') }) },
  })
  expect(alone.issues.map(({ path }) => path)).toEqual(['properties'])
})

test('the platform computes the formula, and a changed one reaches no device (trap 2) [C-20]', async () => {
  const data = (map: string) => preset({ temperature: leaf('T1'), deviation: formula(map) })
  const { id } = await create(data('temperature - 20'))
  const deviceId = await device(id)
  await server.settle()
  const bring = (at: number, value: number) =>
    asPlatform('administrator').bulkInsertTags({
      params: { org: organization },
      query: {},
      body: [{ deviceId, modelPath: 'Oven:1/temperature', data: [[start + at, value]] }],
    })
  await bring(0, 21.5)
  const sent = await text(id)
  const body = { name: 'Deviating', data: data('(temperature - 20) * 10') }
  await as('administrator').updatePreset({ params: { id }, query, body })
  await server.settle()
  expect(await text(id)).toBe(sent)
  await bring(second, 22)
  const [found] = await asPlatform('viewer').tags({
    params: { org: organization, deviceId },
    query: { modelPath: 'Oven:1/deviation', since: start },
  })
  expect(found?.data).toEqual([
    [start, 1.5],
    [start + second, 20],
  ])
})

const place = 'properties.deviation.datalink.source.functions.formula.map'
test.each([
  ['a path that is not there', 'temperature - setpont', place, [1, 15, 1, 22]],
  ['a sign too many', 'temperature -\n* 2', place, [2, 1, 2, 2]],
  ['its own result', 'twice + temperature', place, undefined],
  ['nothing', '', place, [1, 1, 1, 2]],
])('a formula with %s is refused at its place [V-01]', async (_, map, path, position) => {
  const data = preset({
    temperature: leaf('T1'),
    setpoint: leaf('SP'),
    deviation: formula(map),
    twice: formula('deviation * 2'),
  })
  const { valid, issues } = await as('viewer').validatePreset({ query, body: { data } })
  expect(valid).toBe(false)
  const found = issues.find((one) => one.path === path)
  expect(found).toBeDefined()
  if (!position) return
  const { startLineNumber, startColumn, endLineNumber, endColumn } = found ?? {}
  expect([startLineNumber, startColumn, endLineNumber, endColumn]).toEqual(position)
})

test('a fault is told by its rule and values, for words in any language [V-01]', async () => {
  const data = preset({ temperature: leaf('T1'), deviation: formula('temprature') })
  const { issues } = await as('viewer').validatePreset({ query, body: { data } })
  expect(issues).toMatchObject([
    {
      rule: 'formula.unknown_path_similar',
      values: { path: 'temprature', similar: 'temperature' },
    },
  ])
})

test('what a formula says of time that cannot be read is told with its place, and it is saved [V-01]', async () => {
  const source = {
    alignment: { sampling: 60_000, missingValues: { fillPolicy: 'USE_ZERO' } },
    functions: { formula: { map: 'temperature' }, reduce: 'AVG' },
  }
  const data = preset({
    temperature: leaf('T1'),
    deviation: formula('', { datalink: { type: 'formula', source } }),
  })
  const { valid, issues } = await as('viewer').validatePreset({ query, body: { data } })
  expect(valid).toBe(true)
  const place = 'properties.deviation.datalink.source'
  expect(issues).toMatchObject([
    { path: `${place}.alignment.sampling`, severity: 'warning', rule: 'formulaIgnored' },
    { path: `${place}.functions.reduce`, severity: 'warning', rule: 'formulaIgnored' },
  ])
  const { warnings, issues: faults } = await asPlatform('viewer').dryRun({ query, body: { data } })
  expect(faults).toEqual([])
  expect(warnings).toEqual([
    { path: 'deviation', rule: 'formula_ignored', fields: ['sampling', 'reduce'] },
  ])
})

test('a computed value is not written', async () => {
  const data = preset({
    temperature: leaf('T1'),
    deviation: formula('temperature', { mode: 'RW' }),
  })
  const { issues } = await as('viewer').validatePreset({ query, body: { data } })
  expect(issues.map(({ path }) => path)).toEqual(['properties.deviation.mode'])
})

test('a dry run plays the stored values through the new preset [C-26][V-01]', async () => {
  const { id } = await create()
  const deviceId = await device(id)
  await server.settle()
  const rows = (count: number, value: (index: number) => number) =>
    Array.from({ length: count }, (_, index): [number, number] => [
      start + index * second,
      value(index),
    ])
  await asPlatform('administrator').bulkInsertTags({
    params: { org: organization },
    query: {},
    body: [
      { deviceId, modelPath: 'Oven:1/temperature', data: rows(600, (index) => index / 10) },
      { deviceId, modelPath: 'Oven:1/setpoint', data: rows(1, () => 20) },
    ],
  })
  const data = preset({
    temperature: leaf('T1', { sendPolicy: onChange({ deadband: 4.95 }) }),
    setpoint: leaf('elsewhere'),
    deviation: formula('temperature - 20'),
    twice: formula('deviation * 2'),
    door: leaf('T1', { type: 'boolean', sendPolicy: onChange({ deadband: 1 }) }),
  })
  const body = { data, presetId: id, deviceId }
  const run = await asPlatform('viewer').dryRun({ query, body })
  const leafAt = (path: string) => run.leaves.find((one) => one.path === `Oven:1/${path}`)
  expect(run).toMatchObject({ complete: true, issues: [], uses: { devices: 1, applied: 0 } })
  // 0, then every time it moved by 5 since the last one that was sent.
  expect(leafAt('temperature')).toMatchObject({
    from: 'Oven:1/temperature',
    before: { count: 600, min: 0, max: 59.9 },
    after: { count: 12, min: 0, max: 55 },
    refused: 0,
  })
  expect(leafAt('setpoint')).toEqual({
    path: 'Oven:1/setpoint',
    source: 'elsewhere',
    from: null,
    history: true,
    sampled: false,
    missing: 'not_asked',
  })
  expect(leafAt('deviation')?.after).toMatchObject({ count: 600, min: -20, last: { v: 39.9 } })
  expect(leafAt('twice')?.after?.last?.v).toBeCloseTo(79.8)
  expect(leafAt('door')?.after).toMatchObject({ count: 2, min: 0, max: 1 })
  expect(run.warnings).toEqual([{ path: 'door', rule: 'deadband_of_text' }])
  expect(run.changes).toMatchObject([
    { path: 'temperature', kind: 'changed', what: ['sendPolicy'] },
    {
      path: 'setpoint',
      kind: 'changed',
      what: ['datalink'],
      values: [{ key: 'datalink', from: { source: 'SP' } }],
    },
    { path: 'deviation', kind: 'added', what: [] },
    { path: 'twice', kind: 'added', what: [] },
    { path: 'door', kind: 'added', what: [] },
  ])
  expect(run.uses.presets.length).toBeGreaterThan(0)
  // What a gateway has read just now stands in for what was never asked for.
  const samples = { elsewhere: [0, 1, 2].map((v): [number, number] => [start + v * second, v]) }
  const sampled = await asPlatform('viewer').dryRun({ query, body: { ...body, samples } })
  expect(sampled.leaves.find(({ path }) => path === 'Oven:1/setpoint')).toMatchObject({
    from: null,
    sampled: true,
    missing: null,
    after: { count: 3, max: 2 },
  })
  const elsewhere = { organization: 'nordwerk.press' }
  const foreign = asPlatform('neighbour').dryRun({ query: elsewhere, body: { data, deviceId } })
  await expect(foreign).rejects.toMatchObject({ status: 422 })
  await expect(
    asPlatform('viewer').dryRun({ query, body: { data, deviceId: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(asPlatform('member').dryRun({ query, body })).rejects.toMatchObject({ status: 403 })
})

test('a dry run of a faulty preset names the faults, and nothing is played', async () => {
  const body = { data: preset({ temperature: leaf('T1', { mode: 'X' }) }) }
  const run = await asPlatform('viewer').dryRun({ query, body })
  expect(run.issues.map(({ path }) => path)).toEqual(['properties.temperature.mode'])
  expect(run.leaves).toEqual([])
})

test('a configuration is sent again only where it is not taken over', async () => {
  const { id } = await create()
  const params = { id: await device(id) }
  const resend = (who: keyof Seeded['people'] = 'administrator') =>
    as(who).resendConfiguration({ params, query })
  expect(await resend()).toEqual({ sent: true })
  await expect(resend('viewer')).rejects.toMatchObject({ status: 403 })
  const bare = { id: await device() }
  expect(await as('administrator').resendConfiguration({ params: bare, query })).toEqual({
    sent: false,
  })
  const elsewhere = { organization: 'nordwerk.press' }
  await expect(
    as('neighbour').resendConfiguration({ params, query: elsewhere }),
  ).rejects.toMatchObject({ status: 404 })
})
