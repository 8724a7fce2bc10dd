import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { numberedPermissions } from './permission-ids.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
const beyond = { status: 403, code: 'core.beyond_own_rights' }
const missing = { status: 404, code: 'core.not_found' }
const roleNamed = async (name: string) => {
  const { content } = await as('owner').roles({ params, query: { name } })
  return content[0]!
}
const onDevices = (...actions: ('read' | 'update' | 'delete')[]) => ({
  resource: 'devices' as const,
  actions,
})
const make = (name: string, more: object = {}) =>
  as('administrator').createRole({ params, body: { name, label: name, ...more } })

test('every organization has its ready-made roles, the owner among them [C-09]', async () => {
  const { content } = await as('administrator').roles({ params, query: { owners: 'SYSTEM' } })
  expect(content.map(({ name }) => name).toSorted()).toEqual([
    'app_administrator',
    'app_auditor',
    'app_dealer',
    'app_operator',
    'app_owner',
    'app_service-engineer',
    'app_viewer',
    'data_administrator',
  ])
  const both = await as('administrator').roles({
    params,
    query: { owners: 'SYSTEM,ORGANIZATION', type: 'DEVICE' },
  })
  expect(both.content[0]).toMatchObject({
    label: expect.stringContaining('Administrator') as string,
    owners: ['SYSTEM'],
    deviceGeneralPermission: 'ADMINISTRATOR',
    vpnGeneralPermission: 'ADMINISTRATOR',
  })
  const owner = await roleNamed('app_owner')
  const administrator = await roleNamed('app_administrator')
  const names = (role: typeof owner) => role.applicationPermissions.map(({ name }) => name)
  const more = names(owner).filter((name) => !names(administrator).includes(name))
  expect(more).toEqual(['iam.organizations.delete'])
})

test('a role is changed, and what the call does not name stays [C-09]', async () => {
  const made = await make('changing', { rules: [onDevices('read')], description: 'first' })
  expect(made).toMatchObject({ deviceGeneralPermission: 'REGULAR_USER', defaultStar: false })
  const at = { params: { ...params, role: made.id } }
  const changed = await as('administrator').updateRole({
    ...at,
    body: { rules: [onDevices('read', 'update')], enabled: false },
  })
  expect(changed).toMatchObject({
    name: 'changing',
    description: 'first',
    enabled: false,
    deviceGeneralPermission: 'ADMINISTRATOR',
  })
  const renamed = as('administrator').updateRole({ ...at, body: { name: 'app_viewer' } })
  await expect(renamed).rejects.toMatchObject({
    code: 'core.name_taken',
    details: { field: 'name' },
  })
  await expect(as('viewer').updateRole({ ...at, body: {} })).rejects.toMatchObject({ status: 403 })
  const elsewhere = { params: { org: 'acqua', role: made.id }, body: { label: 'mine' } }
  await expect(as('foreigner').updateRole(elsewhere)).rejects.toMatchObject(missing)
})

test('a parent’s role is not changed from below, attack 55 [C-09]', async () => {
  const { content } = await as('owner').roles({ params: { org: 'nordwerk' }, query: {} })
  for (const role of content.slice(0, 3)) {
    const at = { params: { ...params, role: role.id }, body: { label: 'x' } }
    await expect(as('administrator').updateRole(at)).rejects.toMatchObject(missing)
  }
})

test('a ready-made role stays as it is; a copy of it is one’s own [C-09]', async () => {
  const viewer = await roleNamed('app_viewer')
  const at = { params: { ...params, role: viewer.id } }
  const conflict = { status: 409, code: 'core.made_by_system' }
  await expect(
    as('administrator').updateRole({ ...at, body: { label: 'x' } }),
  ).rejects.toMatchObject(conflict)
  await expect(
    as('administrator').setModelPathPermissions({ ...at, body: [] }),
  ).rejects.toMatchObject(conflict)
  const copy = await make('my-viewer', { copyOf: viewer.id })
  expect(copy).toMatchObject({
    owner: 'ORGANIZATION',
    description: viewer.description,
    inherit: viewer.inherit,
    rules: viewer.rules,
  })
  await expect(make('other-viewer', { copyOf: 999_999 })).rejects.toMatchObject(missing)
  const again = await Promise.allSettled([make('twice'), make('twice')])
  expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a role exists by its name and by its id [C-09]', async () => {
  const { id } = await roleNamed('app_viewer')
  const exists = (role: string, org = params.org) =>
    (org === 'acqua' ? as('foreigner') : as('administrator')).roleExists({ params: { org, role } })
  expect(await exists('app_viewer')).toBe(true)
  expect(await exists(String(id))).toBe(true)
  expect(await exists('nothing')).toBe(false)
  expect(await exists(String(id), 'acqua')).toBe(false)
  await expect(
    as('viewer').roleExists({ params: { ...params, role: 'app_viewer' } }),
  ).rejects.toMatchObject({ status: 403 })
})

test('permissions have ids that stay, and are listed by name [C-10] [E-22]', async () => {
  const { content, totalElements, pageSize } = await as('member').applicationPermissions({
    query: {},
  })
  expect(pageSize).toBe(500)
  expect(totalElements).toBe(numberedPermissions.length)
  const names = content.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  const idOf = (name: string) => content.find((one) => one.name === name)?.id
  // On the wire for good: users is the first resource, devices the fourth.
  expect([idOf('iam.users.read'), idOf('iam.devices.read'), idOf('iam.devices.delete')]).toEqual([
    1, 97, 100,
  ])
  const role = await make('by-id', { applicationPermissions: [97, 100] })
  expect(role.rules).toEqual([
    { resource: 'devices', actions: ['read', 'delete'], deviceGroup: null, vpnName: null },
  ])
  expect(role.applicationPermissions.map(({ id }) => id)).toEqual([97, 100])
  await expect(make('by-wrong-id', { applicationPermissions: [97, 31] })).rejects.toMatchObject({
    status: 422,
    code: 'core.no_such_permission',
  })
})

test('a role in use says who has it, and goes with force [C-09]', async () => {
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const { id } = await make('used', { rules: [onDevices('read')] })
  await addPerson(server, owner, { org: service, username: 'ulf', roles: ['used'] })
  const at = { params: { ...params, role: id } }
  await expect(as('administrator').deleteRole({ ...at, query: {} })).rejects.toMatchObject({
    status: 409,
    code: 'core.in_use',
    message: expect.stringContaining('ulf') as string,
    details: { people: 1 },
  })
  await as('administrator').deleteRole({ ...at, query: { force: true } })
  await expect(as('administrator').role(at)).rejects.toMatchObject(missing)
})

test('model paths are patterns of segments, each once [C-11]', async () => {
  const create = (body: object) => as('administrator').createModelPath({ params, body })
  const path = await create({ path: 'Oven:1/zones[*]/**', realm: 'nordwerk' })
  expect(path).toMatchObject({ mode: 'PATTERN', path: 'Oven:1/zones[*]/**' })
  expect((await create({ path: 'Oven:1/zones[*]/**' })).id).toBe(path.id)
  expect((await create({ pathRegExp: path.pathRegExp })).id).toBe(path.id)
  expect((await create({ path: 'Oven:1/speed' })).mode).toBe('EXACT')
  const refused = async (body: object, field: string) =>
    expect(create(body)).rejects.toMatchObject({
      status: 422,
      code: 'core.bad_path',
      details: { field },
    })
  await refused({ path: 'Oven:1/ze*' }, 'path')
  await refused({ pathRegExp: '^(a+)+$' }, 'pathRegExp')
  await refused({ path: 'a', pathRegExp: '^b$' }, 'pathRegExp')
  await refused({ path: 'a', realm: 'acqua' }, 'realm')
  await expect(create({})).rejects.toMatchObject({ status: 400 })
  const { content } = await as('administrator').modelPaths({ params, query: { search: 'zones' } })
  expect(content).toEqual([path])
  const strange = await as('foreigner').modelPaths({ params: { org: 'acqua' }, query: {} })
  expect(strange.content).toEqual([])
  await expect(as('viewer').modelPaths({ params, query: {} })).rejects.toMatchObject({
    status: 403,
  })
})

test('a device role names its model paths by text and by id [C-10]', async () => {
  const { id } = await make('paths', { type: 'DEVICE', rules: [onDevices('read', 'update')] })
  const at = { params: { ...params, role: id } }
  const speed = await as('administrator').createModelPath({
    params,
    body: { path: 'Oven:1/speed' },
  })
  const set = (...body: object[]) =>
    as('administrator').setModelPathPermissions({ ...at, body: body as never })
  const written = await set(
    { modelPath: speed.id, read: true },
    { modelPath: speed, write: true },
    { modelPath: 'Oven:1/**', history: true },
  )
  const rights = { read: false, history: false, write: false }
  expect(written).toEqual([
    {
      modelPath: expect.objectContaining({ path: 'Oven:1/**' }) as object,
      ...rights,
      history: true,
    },
    { modelPath: speed, ...rights, read: true, write: true },
  ])
  expect(await as('administrator').modelPathPermissions(at)).toEqual(written)
  await expect(set({ modelPath: 999_999, read: true })).rejects.toMatchObject(missing)
  await expect(set({ modelPath: 'a//b', read: true })).rejects.toMatchObject({
    code: 'core.bad_path',
    details: { field: 'modelPathPermissions' },
  })
  expect(await as('administrator').modelPathPermissions(at)).toEqual(written)
  const drop = { params: { ...params, modelPath: speed.id } }
  await expect(as('administrator').deleteModelPath(drop)).rejects.toMatchObject({
    code: 'core.in_use',
    message: expect.stringContaining('paths') as string,
  })
  await set()
  await as('administrator').deleteModelPath(drop)
  await expect(as('administrator').deleteModelPath(drop)).rejects.toMatchObject(missing)
})

test('only a role for devices has model paths [C-10]', async () => {
  const modelPathPermissions = [{ modelPath: 'Oven:1/**', read: true }]
  const refused = { status: 422, code: 'core.paths_need_device_role' }
  await expect(make('app-paths', { modelPathPermissions })).rejects.toMatchObject(refused)
  const { id } = await make('turning', { type: 'DEVICE', modelPathPermissions })
  const at = { params: { ...params, role: id } }
  await expect(
    as('administrator').updateRole({ ...at, body: { type: 'APPLICATION' } }),
  ).rejects.toMatchObject(refused)
})

test('who has some model paths gives those and no others, attack 64 [A-05]', async () => {
  const { owner } = seeded.people
  const { service } = seeded.organizations
  await make('editor', {
    rules: [{ resource: 'roles', actions: ['read', 'create', 'update'] }],
  })
  await make('ovens', {
    type: 'DEVICE',
    rules: [onDevices('read', 'update')],
    modelPathPermissions: [{ modelPath: 'Oven:1/**', read: true, history: true }],
  })
  const roles = ['editor', 'ovens']
  const edgar = await addPerson(server, owner, { org: service, username: 'edgar', roles })
  const editor = server.as(edgar, coreContract)
  const give = (name: string, modelPath: string, rights: object, actions = onDevices('read')) =>
    editor.createRole({
      params,
      body: {
        name,
        label: name,
        type: 'DEVICE',
        rules: [actions],
        modelPathPermissions: [{ modelPath, ...rights }],
      },
    })
  const within = await give('narrow', 'Oven:1/zones[*]/temperature', { read: true })
  await expect(give('wide', 'Oven:*/**', { read: true })).rejects.toMatchObject(beyond)
  await expect(
    give('writing', 'Oven:1/speed', { write: true }, onDevices('read', 'update')),
  ).rejects.toMatchObject(beyond)
  const free = { name: 'free', label: 'free', rules: [onDevices('read')] }
  await expect(editor.createRole({ params, body: free })).rejects.toMatchObject(beyond)
  // Lifting the limit would give every path.
  const at = { params: { ...params, role: within.id } }
  await expect(editor.setModelPathPermissions({ ...at, body: [] })).rejects.toMatchObject(beyond)
  await expect(
    editor.updateRole({ ...at, body: { modelPathPermissions: [], label: 'x' } }),
  ).rejects.toMatchObject(beyond)
  await expect(editor.updateRole({ ...at, body: { inherit: true } })).rejects.toMatchObject(beyond)
  const administrators = { rules: [{ resource: 'users' as const, actions: ['delete' as const] }] }
  await expect(editor.updateRole({ ...at, body: administrators })).rejects.toMatchObject(beyond)
  expect((await as('owner').role(at)).modelPathPermissions).toHaveLength(1)
  // Nor is a role taken apart by who lacks what it gives.
  const strong = await make('strong', { rules: [{ resource: 'audit', actions: ['access'] }] })
  const other = { params: { ...params, role: strong.id } }
  const nothing = { rules: [], enabled: false }
  await expect(editor.updateRole({ ...other, body: nothing })).rejects.toMatchObject(beyond)
})

test('a change of a role stands in the audit trail with before and after', async () => {
  const { id } = await make('audited', { rules: [onDevices('read')] })
  await as('administrator').updateRole({ params: { ...params, role: id }, body: { label: 'new' } })
  const sql = `select payload from bus.event where topic = 'audit.recorded'
    and payload->>'resource' = 'roles' and payload->>'id' = $1 order by id`
  const { rows } = await server.database.pool.query<{ payload: object }>(sql, [String(id)])
  expect(rows.map(({ payload }) => payload)).toMatchObject([
    { action: 'create', after: { label: 'audited' } },
    { action: 'update', before: { label: 'audited' }, after: { label: 'new' } },
  ])
})
