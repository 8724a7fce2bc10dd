import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

type Rules = NonNullable<z.input<typeof coreContract.endpoints.createRole.body>['rules']>
let server: TestServer
let seeded: Seeded
const above = { organization: 'nordwerk' }
const below = { organization: 'nordwerk.service' }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, platform], {
    admit: coreAuthorizer,
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)
const asPlatform = (who: keyof Seeded['people']) => server.as(seeded.people[who], platformContract)
const leaf = (type = 'double', more: object = {}) => ({ type, ...more })
const tree = (properties: object) => ({ type: 'object', properties })
const make = (name: string, data = tree({ a: leaf() }), query = above) =>
  as(query === above ? 'owner' : 'administrator').createModel({ query, body: { name, data } })
const share = (id: string, data = true) =>
  as('owner').shareModel({ params: { id }, query: above, body: { data } })
const refusedWith = (status: number, code: string) => ({ status, code: `mappings.${code}` })
const preset = (name: string, model: string) => ({
  name,
  data: {
    type: 'object',
    instanceOf: model,
    properties: {
      a: {
        type: 'double',
        mode: 'R',
        historyPolicy: { enabled: true },
        sendPolicy: { triggers: [{ type: 'onchange' }] },
        datalink: { source: 'A' },
      },
    },
  },
})

test('a shared model is seen and used below, and changed only above [C-26]', async () => {
  const { id } = await make('Shared')
  const own = as('administrator')
  await expect(own.model({ params: { id }, query: below })).rejects.toMatchObject({ status: 404 })
  expect(await share(id)).toEqual({ data: true })
  const read = await own.model({ params: { id }, query: below })
  expect(read).toMatchObject({ name: 'Shared', subOrgsEnabledToView: true })
  const { data } = await own.models({ query: { ...below, name: 'Shared' } })
  expect(data.map((one) => one.id)).toEqual([id])
  const used = await own.createPreset({ query: below, body: preset('Of shared', 'Shared:1.0.0') })
  expect(used.modelId).toBe(id)
  const paths = await own.searchModelPaths({
    query: below,
    body: { data: 'model == "Shared:1"', page: 0, pageSize: 100 },
  })
  expect(paths.data).toMatchObject([{ path: 'a', subOrgsEnabledToView: true }])

  const params = { id }
  const body = { name: 'Shared', data: tree({ b: leaf() }) }
  const no = refusedWith(403, 'model_not_yours')
  await expect(own.updateModel({ params, query: below, body })).rejects.toMatchObject(no)
  await expect(own.deleteModel({ params, query: below })).rejects.toMatchObject(no)
  await expect(
    own.shareModel({ params, query: below, body: { data: false } }),
  ).rejects.toMatchObject(no)
  await expect(
    as('foreigner').model({ params, query: { organization: 'acqua' } }),
  ).rejects.toMatchObject({ status: 404 })

  await share(id, false)
  await expect(own.model({ params, query: below })).rejects.toMatchObject({ status: 404 })
  const kept = await own.preset({ params: { id: used.id }, query: below })
  expect(kept.value.name).toBe('Of shared')
})

test('sharing by name shares all versions, and those that follow [C-26]', async () => {
  const { id } = await make('Whole')
  const next = (data: object) =>
    as('owner').updateModel({
      params: { id },
      query: above,
      body: { name: 'Whole', data: tree(data) },
    })
  await next({ a: leaf(), b: leaf() })
  await as('owner').shareModelByName({
    params: { name: 'Whole' },
    query: above,
    body: { data: true },
  })
  await next({ a: leaf(), b: leaf(), c: leaf() })
  const versions = (more: object) =>
    as('administrator').modelVersions({ params: { name: 'Whole' }, query: { ...below, ...more } })
  expect((await versions({})).data).toEqual(['1.2.0', '1.1.0', '1.0.0'])
  expect((await versions({ fullHistory: false })).data).toEqual(['1.2.0'])
  await expect(versions({ shared: false })).rejects.toMatchObject({ status: 404 })
  await expect(
    as('administrator').shareModelByName({
      params: { name: 'Whole' },
      query: below,
      body: { data: false },
    }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    as('viewer').shareModelByName({
      params: { name: 'Whole' },
      query: below,
      body: { data: false },
    }),
  ).rejects.toMatchObject({ status: 403 })
})

test('an own model hides one of the same name that is shared from above', async () => {
  const shared = await make('Same')
  await share(shared.id)
  const own = await make('Same', tree({ mine: leaf() }), below)
  const list = async (more: object) =>
    (await as('viewer').models({ query: { ...below, ...more } })).data.map(({ id }) => id)
  expect(await list({ name: 'Same' })).toEqual([own.id])
  expect(await list({ name: 'Same', version: '1.0.0' })).toEqual([own.id])
  const names = await as('viewer').modelNames({ query: { ...below, search: 'same' } })
  expect(names.data).toMatchObject([{ name: 'Same', count: 1, orgResourceId: 'nordwerk.service' }])
})

test('one of several versions can be shared alone', async () => {
  const { id } = await make('Alone')
  await share(id)
  const { value } = await as('owner').updateModel({
    params: { id },
    query: above,
    body: { name: 'Alone', data: tree({ a: leaf(), b: leaf() }) },
  })
  await share(value.id, false)
  const { data } = await as('viewer').models({ query: { ...below, name: 'Alone' } })
  expect(data.map(({ version }) => version)).toEqual(['1.0.0'])
})

test('where a model is used is told with its devices and newer versions [C-26]', async () => {
  const { id } = await make('Used')
  await share(id)
  const { id: ownPreset } = await as('owner').createPreset({
    query: above,
    body: preset('Used here', 'Used:1.0.0'),
  })
  await as('administrator').createPreset({
    query: below,
    body: preset('Used below', 'Used:1.0.0'),
  })
  const { value } = await as('owner').updateModel({
    params: { id },
    query: above,
    body: { name: 'Used', data: tree({ a: leaf(), b: leaf() }) },
  })
  // Another realm has a model of that name too, and it is no business of this one.
  const foreign = { organization: 'acqua' }
  await as('foreigner').createModel({
    query: foreign,
    body: { name: 'Used', data: tree({ a: leaf() }) },
  })
  await as('foreigner').createPreset({ query: foreign, body: preset('Used there', 'Used:1.0.0') })
  const view = {
    name: 'Used view',
    query: {
      line: ['AAAAAAAAAAAAAAAAAAAAAA/Used:1/a;right;va', 'AAAAAAAAAAAAAAAAAAAAAA/Other:1/a'],
    },
  }
  const made = await asPlatform('owner').createView({ params: { org: 'nordwerk' }, body: view })
  // A view of another organization is not told, though it is shared there.
  const elsewhere = { ...view, name: 'Elsewhere', shared: true }
  await asPlatform('neighbour').createView({ params: { org: 'nordwerk.press' }, body: elsewhere })
  await server.settle()
  const views = [{ id: made.id, name: 'Used view', paths: ['a'] }]
  const usage = await as('owner').modelUsage({ params: { id }, query: above })
  expect(usage).toEqual({
    views,
    presets: [
      {
        id: ownPreset,
        name: 'Used here',
        orgResourceId: 'nordwerk',
        modelId: id,
        version: '1.0.0',
        devices: 0,
        paths: [],
      },
    ],
    others: { presets: 1, devices: 0 },
    devices: 0,
    newer: [{ id: value.id, version: '1.1.0' }],
  })
  // What goes away is told with the preset and the view that show it; what only comes disturbs nobody.
  const impactOf = (properties: object) =>
    as('owner').modelImpact({ params: { id }, query: above, body: { data: tree(properties) } })
  expect(await impactOf({ b: leaf() })).toMatchObject({
    change: 'major',
    presets: [{ name: 'Used here', paths: ['a'] }],
    views,
  })
  expect((await impactOf({ a: leaf(), b: leaf(), c: leaf() })).views).toEqual([])
  const seenBelow = await as('viewer').modelUsage({ params: { id }, query: below })
  expect(seenBelow).toMatchObject({
    presets: [{ name: 'Used below' }],
    views: [],
    others: { presets: 0, devices: 0 },
  })
  const { data } = await as('owner').models({ query: { ...above, name: 'Used', usage: true } })
  expect(data).toMatchObject([{ usage: { presets: 2, devices: 0 } }])
  const listed = async (filter: object) =>
    (await as('owner').models({ query: { ...above, name: 'Used', ...filter } })).data.length
  expect(await listed({ used: true, shared: true })).toBe(1)
  expect(await listed({ used: true, shared: false })).toBe(0)
  expect(await listed({ used: false })).toBe(0)
  await expect(
    as('owner').deleteModel({ params: { id }, query: { ...above, allVersions: true } }),
  ).rejects.toMatchObject(refusedWith(409, 'model_in_use'))
  await expect(as('member').modelUsage({ params: { id }, query: below })).rejects.toMatchObject({
    status: 403,
  })
})

test('a view is told as it is now, and no more when it is deleted', async () => {
  const { id } = await make('Viewed')
  const line = 'AAAAAAAAAAAAAAAAAAAAAA/Viewed:1/a'
  const params = { org: 'nordwerk' }
  const body = { name: 'First name', query: { line: [line] } }
  const made = await asPlatform('owner').createView({ params, body })
  const at = { params: { ...params, view: made.id } }
  const told = async () => {
    await server.settle()
    const { views } = await as('owner').modelUsage({ params: { id }, query: above })
    return views.map(({ name, paths }) => [name, ...paths])
  }
  expect(await told()).toEqual([['First name', 'a']])
  const query = { line: [line, 'AAAAAAAAAAAAAAAAAAAAAA/Viewed:1/zones[2]/b;c0'] }
  await asPlatform('owner').updateView({ ...at, body: { name: 'Second', query, version: 1 } })
  expect(await told()).toEqual([['Second', 'a', 'zones[*]/b']])
  await asPlatform('owner').deleteView(at)
  expect(await told()).toEqual([])
})

test('numbers of a shared model end where the sight of the caller ends [C-26]', async () => {
  const { id } = await make('Counted')
  await share(id)
  const body = preset('Counted above', 'Counted:1.0.0')
  const { id: presetId } = await as('owner').createPreset({ query: above, body })
  const devices = []
  for (const label of ['first', 'second']) {
    devices.push(await as('owner').createDevice({ query: above, body: { label, presetId } }))
  }
  await server.settle()
  const core = server.as(seeded.people.owner, coreContract)
  const org = seeded.organizations.nordwerk
  const params = { org: String(org.id) }
  const group = await core.createSecurityPolicy({ params, body: { name: 'Counted' } })
  const policy = String(group.id)
  await core.addPolicyDevices({ params: { ...params, policy, devices: devices[0]?.id ?? '' } })
  const rules: Rules = [
    { resource: 'models', actions: ['read'] },
    { resource: 'devices', actions: ['read'], deviceGroup: group.id },
  ]
  await core.createRole({ params, body: { name: 'narrow', label: 'Narrow', rules } })
  const owner = seeded.people.owner
  const narrow = await addPerson(server, owner, { org, username: 'nina', roles: ['narrow'] })
  await server.settle()

  const counted = async (who: Caller, query: { organization: string }) => {
    const one = server.as(who, mappingsContract)
    const { data } = await one.models({ query: { ...query, name: 'Counted', usage: true } })
    const used = await one.models({ query: { ...query, name: 'Counted', used: true } })
    const usage = await one.modelUsage({ params: { id }, query })
    const of = { params: { id }, query, body: { data: tree({ b: leaf() }) } }
    const impact = await one.modelImpact(of)
    return [data[0]?.usage, used.data.length, usage.devices, impact.devices]
  }
  expect(await counted(owner, above)).toEqual([{ presets: 1, devices: 2 }, 1, 2, 2])
  expect(await counted(narrow, above)).toEqual([{ presets: 1, devices: 1 }, 1, 1, 1])
  const { administrator } = seeded.people
  expect(await counted(administrator, below)).toEqual([{ presets: 0, devices: 0 }, 0, 0, 0])
})

test('what saving would mean is told before: the version, the changes, who uses them [V-01]', async () => {
  const { id } = await make('Impact', tree({ a: leaf(), b: leaf() }))
  const { id: presetId } = await as('owner').createPreset({
    query: above,
    body: preset('Of impact', 'Impact:1.0.0'),
  })
  const impact = (data: object) =>
    as('owner').modelImpact({ params: { id }, query: above, body: { data: tree(data) } })
  expect(await impact({ a: leaf('integer') })).toMatchObject({
    newest: { id, version: '1.0.0' },
    version: '2.0.0',
    change: 'major',
    changes: [
      { path: 'a', kind: 'type', from: 'double', to: 'integer', weight: 'major' },
      { path: 'b', kind: 'removed', weight: 'major' },
    ],
    presets: [{ id: presetId, paths: ['a'] }],
  })
  const wrong = await impact({ a: leaf('float') })
  expect(wrong).toMatchObject({
    problems: [{ path: 'properties.a.type', line: 5, column: 15, rule: 'type' }],
    changes: [],
  })
  await expect(
    as('foreigner').modelImpact({
      params: { id },
      query: { organization: 'acqua' },
      body: { data: tree({}) },
    }),
  ).rejects.toMatchObject({ status: 404 })
})
