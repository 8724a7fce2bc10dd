import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { AppError } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { testNow, type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
let clock = testNow.getTime()
const service = 'nordwerk.service'
const params = { org: service }
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], {
    admit: coreAuthorizer,
    now: () => new Date(clock),
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], coreContract)
const mapped = (who: Who) => server.as(seeded.people[who], mappingsContract)

async function create(label: string, organization = service, more: object = {}) {
  const made = await mapped('owner').createDevice({
    query: { organization },
    body: { label, ...more },
  })
  await server.settle()
  return made.id
}
const tokenOf = async (who: Who, org: string) =>
  (await as(who).createImportToken({ params: { org } })).token
const move = (who: Who, device: string, organizationImportToken: string, org = service) =>
  mapped(who).moveDevice({
    params: { org, device },
    query: {},
    body: { organizationImportToken },
  })
const coded = (code: string, status: number) => ({ code: `core.${code}`, status })

test('a device is renamed through core, and its own group with it [C-13] [C-12] [E-06]', async () => {
  const id = await create('Before')
  const body = { label: 'After', description: 'near the door', serialNumber: 'S-9' }
  const changed = await mapped('operator').changeCoreDevice({
    params: { ...params, device: id },
    query: {},
    body,
  })
  expect(changed).toMatchObject({ hwId: id, label: 'After', alias: 'After' })
  const query = { organization: service }
  const { value } = await mapped('viewer').device({ params: { id }, query })
  expect(value).toMatchObject(body)
  const named = async (name: string) =>
    (await as('viewer').securityPolicies({ params, query: { name } })).content
  expect(await named('After')).toMatchObject([{ type: 'SELF_DEVICE' }])
  expect(await named('Before')).toEqual([])
  await mapped('administrator').updateDevice({ params: { id }, query, body: { label: 'Later' } })
  await server.settle()
  expect(await named('Later')).toHaveLength(1)
  const short = await server.fetchAs({ ...seeded.people.operator, org: service })(
    `/svc/core/api/v1/devices/${id}`,
    {
      method: 'PATCH',
      body: '{"label":"Short path"}',
      headers: { 'content-type': 'application/json' },
    },
  )
  expect([short.status, ((await short.json()) as { label: string }).label]).toEqual([
    200,
    'Short path',
  ])
})

test('changing a device needs the right to, and words that fit [C-13] [A-05]', async () => {
  const device = await create('Kept as it is')
  const change = (who: Who, body: object, org = service) =>
    mapped(who).changeCoreDevice({ params: { org, device }, query: {}, body })
  await expect(change('viewer', { label: 'x' })).rejects.toMatchObject({ status: 403 })
  await expect(change('neighbour', { label: 'x' }, 'nordwerk.press')).rejects.toMatchObject({
    status: 404,
  })
  await expect(change('operator', { label: '  ' })).rejects.toMatchObject({ status: 400 })
})

test('the check before a move names what goes, is copied, left and cut [E-06]', async () => {
  const query = { organization: service }
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await mapped('administrator').createModel({ query, body: { name: 'Kiln', data } })
  const preset = await mapped('administrator').createPreset({
    query,
    body: {
      name: 'Kiln preset',
      data: {
        type: 'object',
        instanceOf: 'Kiln:1.0.0',
        properties: {
          t: {
            type: 'double',
            mode: 'R',
            historyPolicy: { enabled: true },
            datalink: { source: 'T' },
          },
        },
      },
    },
  })
  const device = await create('Kiln 1', service, { presetId: preset.id })
  const group = await as('owner').createSecurityPolicy({ params, body: { name: 'Kilns' } })
  const policy = String(group.id)
  await as('owner').addPolicyDevices({ params: { ...params, policy, devices: device } })
  const rules = [
    { resource: 'devices' as const, actions: ['read' as const], deviceGroup: group.id },
  ]
  await as('owner').createRole({ params, body: { name: 'kilns', label: 'Kiln people', rules } })
  const token = await tokenOf('foreigner', 'acqua')
  const asked = {
    params: { ...params, device },
    query: { organizationImportToken: token },
  }
  const check = await mapped('administrator').moveCheck(asked)
  expect(check).toMatchObject({
    device: { hwId: device },
    from: { resourceId: service },
    to: { resourceId: 'acqua', label: 'acqua' },
  })
  expect(check.items.map(({ kind, fate, names }) => [kind, fate, ...names])).toEqual([
    ['history', 'goes'],
    ['credentials', 'cut'],
    ['notes', 'left'],
    ['model', 'copied', 'Kiln 1.0.0'],
    ['preset', 'copied', 'Kiln preset'],
    ['deviceGroups', 'left', 'Kilns'],
    ['roles', 'cut', 'Kiln people'],
  ])
  await expect(mapped('viewer').moveCheck(asked)).rejects.toMatchObject({ status: 403 })

  const { pool } = server.database
  await pool.query(
    `update mappings.device set description = 'margin 37 %', attributes = '{"site": "Ulm"}'
     where id = $1`,
    [device],
  )
  const moved = await move('administrator', device, token)
  expect(moved).toMatchObject({ hwId: device, orgResourceId: 'acqua' })
  const notes = 'select description, attributes from mappings.device where id = $1'
  expect((await pool.query(notes, [device])).rows).toEqual([{ description: '', attributes: {} }])
  const there = await mapped('foreigner').device({
    params: { id: device },
    query: { organization: 'acqua' },
  })
  expect(there.value).toMatchObject({ presetName: 'Kiln preset', modelName: 'Kiln' })
  expect(there.value.presetId).not.toBe(preset.id)
  const models = await mapped('foreigner').models({ query: { organization: 'acqua' } })
  expect(models.data.map(({ name }) => name)).toEqual(['Kiln'])
})

test('a moved device leaves its groups and gets its own again [E-06] [C-12]', async () => {
  const device = await create('Wanderer')
  const group = await as('owner').createSecurityPolicy({ params, body: { name: 'Left behind' } })
  const above = await as('owner').createSecurityPolicy({
    params: { org: 'nordwerk' },
    body: { name: 'Of the house' },
  })
  const join = (org: string, policy: number) =>
    as('owner').addPolicyDevices({ params: { org, policy: String(policy), devices: device } })
  await join(service, group.id)
  await join('nordwerk', above.id)
  await move('owner', device, await tokenOf('owner', 'nordwerk.press'))
  await server.settle()
  const press = { org: 'nordwerk.press' }
  const [there] = (await as('owner').coreDevices({ params: press, query: { deviceId: device } }))
    .content
  expect(there?.securityPolicyGroups.map(({ name }) => name).toSorted()).toEqual(['*', 'Wanderer'])
  const groupsOf = async (org: string, policy: number) =>
    (
      await as('owner').policyDevices({ params: { org, policy: String(policy) }, query: {} })
    ).content.map(({ hwId }) => hwId)
  expect(await groupsOf(service, group.id)).toEqual([])
  expect(await groupsOf('nordwerk', above.id)).toEqual([device])
  for (const [org, count] of [
    [service, 0],
    ['nordwerk.press', 1],
  ] as const) {
    const query = { name: 'Wanderer' }
    const { content } = await as('owner').securityPolicies({ params: { org }, query })
    expect(content).toHaveLength(count)
  }
  const seen = await mapped('owner').device({
    params: { id: device },
    query: { organization: 'nordwerk.press' },
  })
  expect(seen.value.groups).toContain(above.id)
  expect(seen.value.groups).not.toContain(group.id)
  await expect(
    as('administrator').coreDeviceByLabel({ params: { ...params, label: 'Wanderer' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('news that comes late puts no device back where it was [E-06]', async () => {
  const deviceId = await create('Latecomer')
  await move('owner', deviceId, await tokenOf('owner', 'nordwerk.press'))
  await move('owner', deviceId, await tokenOf('owner', 'nordwerk'), 'nordwerk.press')
  const told = { deviceId, label: 'Latecomer' }
  const { deviceCreated, deviceMoved } = mappingsContract.events
  await server.database.db.transaction().execute(async (tx) => {
    await publish(tx, deviceCreated, { ...told, orgResourceId: service })
    await publish(tx, deviceMoved, { ...told, from: service, to: 'nordwerk.press', notes: false })
  })
  await server.settle()
  const query = { deviceId }
  const { content } = await as('owner').coreDevices({ params: { org: 'nordwerk' }, query })
  expect(content).toMatchObject([{ hwId: deviceId, orgResourceId: 'nordwerk' }])
})

test('a token moves one device, once, within its time [attack 52] [E-06]', async () => {
  const [one, two] = [await create('Once 1'), await create('Once 2')]
  const token = await tokenOf('neighbour', 'nordwerk.press')
  const tries = await Promise.allSettled([
    move('administrator', one, token),
    move('administrator', two, token),
  ])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = coded('import_token_refused', 422)
  expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused })
  const left = tries[0]?.status === 'fulfilled' ? two : one
  await expect(move('administrator', left, token)).rejects.toMatchObject(refused)
  await expect(move('administrator', left, 'not-a-token')).rejects.toMatchObject(refused)
  const late = await tokenOf('neighbour', 'nordwerk.press')
  clock += 24 * 3_600_000
  await expect(move('administrator', left, late)).rejects.toMatchObject(refused)
  clock -= 24 * 3_600_000
})

test('nobody moves what is not theirs, or into where it is [attack 52] [A-05]', async () => {
  const device = await create('Stays')
  const token = await tokenOf('foreigner', 'acqua')
  // The holder of a token cannot fetch a device of others with it.
  await expect(move('foreigner', device, token, 'acqua')).rejects.toMatchObject({ status: 404 })
  await expect(move('foreigner', device, token)).rejects.toMatchObject({ status: 404 })
  await expect(move('neighbour', device, token, 'nordwerk.press')).rejects.toMatchObject({
    status: 404,
  })
  await expect(move('operator', device, token)).rejects.toMatchObject({ status: 403 })
  const home = await tokenOf('administrator', service)
  await expect(move('administrator', device, home)).rejects.toMatchObject(
    coded('import_token_refused', 422),
  )
  // Both tokens are as good as before.
  expect(await move('administrator', device, token)).toMatchObject({ orgResourceId: 'acqua' })
})

test('organization ids in path, token and query cannot be mixed [attack 50] [attack 51]', async () => {
  const device = await create('Mixed')
  const wish = { ...seeded.people.neighbour, org: service }
  const asNeighbour = server.as(wish, mappingsContract)
  const press = { params: { org: 'nordwerk.press', device } }
  const token = await tokenOf('neighbour', 'nordwerk.press')
  const body = { organizationImportToken: token }
  for (const query of [{}, { organization: service }, { organization: 'nordwerk' }]) {
    await expect(asNeighbour.moveDevice({ ...press, query, body })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      asNeighbour.moveDevice({ params: { org: service, device }, query, body }),
    ).rejects.toMatchObject({ status: 404 })
    const short = await server.fetchAs(wish)(
      `/svc/core/api/v1/devices/${device}/move?${new URLSearchParams(query).toString()}`,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      },
    )
    expect(short.status).toBe(404)
  }
})

test('a move stands in the trails of both organizations [E-06]', async () => {
  const device = await create('Audited')
  await move('owner', device, await tokenOf('owner', 'nordwerk.press'))
  const { rows } = await server.database.pool.query<{ organization: string }>(
    `select payload->>'organization' as organization from bus.event
     where topic = 'audit.recorded' and payload->>'action' = 'move' and payload->>'id' = $1
     order by id`,
    [device],
  )
  expect(rows.map(({ organization }) => organization)).toEqual([service, 'nordwerk.press'])
})

test('where the other organization means something else by a model, the preset stays [E-06]', async () => {
  const model = (organization: string, type: string) =>
    mapped('owner').createModel({
      query: { organization },
      body: { name: 'Same', data: { type: 'object', properties: { v: { type } } } },
    })
  await model(service, 'double')
  await model('nordwerk.press', 'string')
  const v = {
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    datalink: { source: 'V' },
  }
  const preset = await mapped('owner').createPreset({
    query: { organization: service },
    body: { name: 'Same', data: { type: 'object', instanceOf: 'Same:1.0.0', properties: { v } } },
  })
  const device = await create('Differs', service, { presetId: preset.id })
  const token = await tokenOf('owner', 'nordwerk.press')
  const check = await mapped('owner').moveCheck({
    params: { ...params, device },
    query: { organizationImportToken: token },
  })
  expect(check.items).toContainEqual({ kind: 'preset', fate: 'left', names: ['Same'], count: 1 })
  await move('owner', device, token)
  const there = await mapped('owner').device({
    params: { id: device },
    query: { organization: 'nordwerk.press' },
  })
  expect(there.value.presetId).toBeNull()
})

test('guessing import tokens ends in waiting [attack 123] [E-06]', async () => {
  const device = await create('Guessed')
  const answers: unknown[] = []
  for (let guess = 0; guess < 12; guess += 1) {
    answers.push(
      await move('administrator', device, `guess-${guess}`).catch((error: unknown) =>
        error instanceof AppError ? error.status : error,
      ),
    )
  }
  expect(answers.at(0)).toBe(422)
  expect(answers.at(-1)).toBe(429)
})
