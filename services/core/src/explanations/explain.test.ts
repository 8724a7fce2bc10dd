import { publish } from '@longreach/kit/events'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const users: Record<string, number> = {}
const params = { org: 'nordwerk.service' }
const oven = 'A'.repeat(22)
const pump = 'B'.repeat(22)
const foreign = 'C'.repeat(22)
const missing = { status: 404, code: 'core.not_found' }
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const read = { resource: 'devices', action: 'read' } as const

const place = (deviceId: string, label: string, orgResourceId: string) =>
  server.database.db
    .transaction()
    .execute((tx) =>
      publish(tx, mappingsContract.events.deviceCreated, { deviceId, label, orgResourceId }),
    )
const policyNamed = async (name: string, org = params.org) => {
  const { content } = await as('owner').securityPolicies({ params: { org }, query: { name } })
  return content[0]!
}

beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  await place(oven, 'Oven', params.org)
  await place(pump, 'Pump', params.org)
  await place(foreign, 'Foreign', 'acqua')
  await server.settle()
  const ownGroup = await policyNamed('Oven')
  const { owner } = seeded.people
  const { service } = seeded.organizations
  await as('owner').createRole({
    params,
    body: {
      name: 'ovens',
      label: 'Ovens',
      type: 'DEVICE',
      rules: [{ resource: 'devices', actions: ['read', 'update'], deviceGroup: ownGroup.id }],
      modelPathPermissions: [
        { modelPath: 'Oven:1/**', read: true, history: true },
        { modelPath: 'Oven:1/speed', write: true },
      ],
    },
  })
  await as('owner').createRole({
    params,
    body: {
      name: 'remote',
      label: 'Remote',
      rules: [{ resource: 'vpn', actions: ['read', 'access'], vpnName: 'press 7' }],
    },
  })
  await addPerson(server, owner, { org: service, username: 'olga', roles: ['ovens', 'remote'] })
  const people = await server.database.pool.query<{ id: number; username: string; realm: string }>(
    'select id, username, realm from core.app_user',
  )
  for (const { id, username, realm } of people.rows) {
    if (realm === 'nordwerk') users[username] = id
    else users[`${realm}-${username}`] = id
  }
})
afterAll(() => server.close())

const why = (user: string, query: object) =>
  as('administrator').explain({ params, query: { user: users[user], ...query } as never })

test('a reason is the chain person, group, role, organization [A-05]', async () => {
  const { allowed, reasons, blocked } = await why('oskar', read)
  expect({ allowed, blocked }).toEqual({ allowed: true, blocked: undefined })
  expect(reasons).toEqual([
    {
      user: 'oskar',
      group: expect.objectContaining({ label: 'oskar' }) as object,
      role: expect.objectContaining({ name: 'app_operator', label: 'Operator' }) as object,
      policy: null,
      organization: params.org,
      inherited: false,
      deviceGroup: null,
      vpnName: null,
      paths: null,
    },
  ])
  expect((await why('mia', read)).reasons).toEqual([])
})

test('rights that come down from above are told as such [A-05]', async () => {
  const { allowed, reasons } = await why('ines', { ...read, deviceId: oven })
  expect(allowed).toBe(true)
  expect(reasons).toMatchObject([{ organization: 'nordwerk', inherited: true }])
  const about = { params: { org: 'nordwerk' }, query: { ...read, deviceId: oven } }
  const below = await as('owner').explain({
    ...about,
    query: { ...about.query, user: users['ines'] },
  })
  expect(below).toMatchObject({ allowed: true, organization: params.org })
  // A role that does not reach down brings nobody in.
  await expect(why('paul', read)).rejects.toMatchObject(missing)
})

test('a path is explained with the patterns that give it [A-03 in part]', async () => {
  const on = (path: string, more: object = {}) =>
    why('olga', { ...read, deviceId: oven, path, ...more })
  const speed = await on('Oven:1/speed')
  expect(speed.allowed).toBe(true)
  expect(speed.reasons[0]).toMatchObject({ deviceGroup: { name: 'Oven' }, paths: ['Oven:1/**'] })
  expect(await on('Press:1/speed')).toMatchObject({ allowed: false, blocked: 'model-paths' })
  const write = { action: 'update' }
  expect((await on('Oven:1/speed', write)).allowed).toBe(true)
  expect(await on('Oven:1/level', write)).toMatchObject({ blocked: 'model-paths' })
  expect((await on('Oven:1/level', { right: 'history' })).allowed).toBe(true)
  expect(await why('olga', { ...read, deviceId: pump })).toMatchObject({
    allowed: false,
    reasons: [],
  })
})

test('an endpoint is explained by its VPN name [A-04]', async () => {
  const on = (endpoint: string) => why('olga', { resource: 'vpn', action: 'access', endpoint })
  expect(await on('press 7')).toMatchObject({ allowed: true, reasons: [{ vpnName: 'press 7' }] })
  expect(await on('press 8')).toMatchObject({ allowed: false, reasons: [] })
})

test('what blocks is named: policies, IoT, account, second factor, address', async () => {
  const pumps = await policyNamed('Pump')
  const at = { params: { ...params, user: String(users['oskar']), policies: String(pumps.id) } }
  await as('owner').addUserPolicies(at)
  expect(await why('oskar', { ...read, deviceId: oven })).toMatchObject({
    allowed: false,
    blocked: 'policies',
  })
  expect(await why('oskar', { ...read, deviceId: pump })).toMatchObject({
    allowed: true,
    reasons: [{ policy: { id: pumps.id, name: 'Pump' } }],
  })
  await as('owner').removeUserPolicies(at)
  const { pool } = server.database
  const org = 'nordwerk.service'
  await pool.query(
    `update core.organization set data_enabled = false, second_factor_required = true,
      ip_addresses_whitelist = '{127.0.0.0/8}' where resource_id = $1`,
    [org],
  )
  await pool.query(`update core.app_user set enabled = false where username = 'vera'`)
  const factor = { ...seeded.people.administrator, secondFactor: true }
  const ask = (query: object) =>
    server.as(factor, coreContract).explain({ params, query: query as never })
  const alarms = { resource: 'alarms', action: 'read', user: users['oskar'] }
  expect(await ask(alarms)).toMatchObject({ allowed: false, blocked: 'iot-disabled' })
  expect(await ask({ ...read, user: users['vera'] })).toMatchObject({ blocked: 'disabled' })
  const devices = { ...read, user: users['oskar'] }
  // He has no second factor to sign in with.
  expect(await ask(devices)).toMatchObject({
    allowed: false,
    blocked: 'second-factor',
    conditions: { secondFactor: true, addresses: ['127.0.0.0/8'] },
  })
  expect(await ask({ ...devices, secondFactor: true })).toMatchObject({ allowed: true })
  expect(await ask(read)).toMatchObject({ allowed: true })
  expect(await ask({ ...read, secondFactor: false })).toMatchObject({ blocked: 'second-factor' })
  expect(await ask({ ...read, address: '203.0.113.7' })).toMatchObject({ blocked: 'address' })
  await pool.query(
    `update core.organization set data_enabled = true, second_factor_required = false,
      ip_addresses_whitelist = '{}' where resource_id = $1`,
    [org],
  )
  await pool.query(`update core.app_user set enabled = true where username = 'vera'`)
})

test('private access is what keeps rights from above out', async () => {
  const { pool } = server.database
  const close = (root: string) =>
    pool.query(`update core.organization set private_root = ${root} where resource_id = $1`, [
      params.org,
    ])
  await close('id')
  expect(await why('ines', read)).toMatchObject({ allowed: false, blocked: 'private-access' })
  await close('null')
})

test('oneself everybody may ask about; others only who reads people [A-05]', async () => {
  expect((await as('member').explain({ params, query: read })).allowed).toBe(false)
  const mine = await as('member').userAccess({ params: { ...params, user: 'me' } })
  expect(mine).toMatchObject({ user: { username: 'mia' }, member: true, rights: [] })
  // With rights from above one is no member here.
  const above = await as('parentInherit').userAccess({ params: { ...params, user: 'me' } })
  expect(above).toMatchObject({ user: { username: 'ines' }, member: false })
  const about = (user: string) =>
    as('viewer').explain({ params, query: { ...read, user: users[user]! } })
  expect((await about('vera')).allowed).toBe(true)
  await expect(about('oskar')).rejects.toMatchObject({ status: 403 })
  const access = { params: { ...params, user: users['oskar']! } }
  await expect(as('viewer').userAccess(access)).rejects.toMatchObject({ status: 403 })
  // Somebody elsewhere is not told from nobody.
  for (const user of [users['acqua-owner']!, 999_999]) {
    const strange = { params, query: { ...read, user } }
    await expect(as('administrator').explain(strange)).rejects.toMatchObject(missing)
  }
  const home = { params: { org: 'acqua' }, query: { ...read, deviceId: oven } }
  await expect(as('foreigner').explain(home)).rejects.toMatchObject(missing)
})

test('the table of a person holds every right and through what', async () => {
  const { rights, policies, conditions } = await as('administrator').userAccess({
    params: { ...params, user: users['ines']! },
  })
  const row = rights.find(({ resource, action }) => resource === 'devices' && action === 'update')
  expect(row).toMatchObject({ allowed: true, below: true, reasons: [{ inherited: true }] })
  expect(rights.some(({ resource }) => resource === 'users')).toBe(false)
  expect({ policies, conditions }).toEqual({
    policies: [],
    conditions: { secondFactor: false, addresses: [] },
  })
})

test('who may do what on a device, people by name, in pages', async () => {
  const ask = (query: object, who: keyof Seeded['people'] = 'administrator') =>
    as(who).deviceAccess({ params: { ...params, device: oven }, query })
  const { content, totalElements } = await ask({})
  expect(content.map(({ user }) => user.username)).toEqual([
    'adam',
    'ines',
    'olga',
    'oskar',
    'owner',
    'vera',
  ])
  expect(totalElements).toBe(6)
  const olga = content.find(({ user }) => user.username === 'olga')
  expect(olga).toMatchObject({
    actions: ['read'],
    paths: { read: ['Oven:1/**'], history: ['Oven:1/**'], write: ['Oven:1/speed'] },
  })
  expect(content.find(({ user }) => user.username === 'adam')?.paths.write).toBe('all')
  expect((await ask({ page: 1, pageSize: 4 })).content.map(({ user }) => user.username)).toEqual([
    'owner',
    'vera',
  ])
  expect((await ask({ search: 'OSK' })).content).toHaveLength(1)
  const pumps = await as('administrator').deviceAccess({
    params: { ...params, device: pump },
    query: {},
  })
  expect(pumps.content.map(({ user }) => user.username)).not.toContain('olga')
  await expect(ask({}, 'viewer')).rejects.toMatchObject({ status: 403 })
  for (const device of [foreign, 'Z'.repeat(22)]) {
    const elsewhere = { params: { ...params, device }, query: {} }
    await expect(as('administrator').deviceAccess(elsewhere)).rejects.toMatchObject(missing)
  }
})

test('who has a role and through which groups', async () => {
  const { content } = await as('owner').roles({ params, query: { name: 'ovens' } })
  const role = content[0]!.id
  const access = await as('administrator').roleAccess({ params: { ...params, role }, query: {} })
  expect(access).toMatchObject({
    role: { label: 'Ovens' },
    rights: ['devices:read', 'devices:update'],
    groups: [{ label: 'olga', people: 1 }],
    people: { totalElements: 1, content: [{ user: { username: 'olga' } }] },
  })
  const strange = { params: { org: 'acqua', role }, query: {} }
  await expect(as('foreigner').roleAccess(strange)).rejects.toMatchObject(missing)
})

test('people below who hold the ready-made role of the same name are counted, for who sees roles there', async () => {
  const at = { org: 'nordwerk' }
  const { content } = await as('owner').roles({ params: at, query: { name: 'app_viewer' } })
  const asked = { params: { ...at, role: content[0]!.id }, query: {} }
  const access = await as('owner').roleAccess(asked)
  expect(access.groups).toEqual([])
  expect(access.peopleBelow).toBeGreaterThanOrEqual(1)
  const plain = await as('parentPlain')
    .roleAccess(asked)
    .catch(({ status }: { status: number }) => status)
  expect(plain).toSatisfy(
    (told: unknown) => told === 403 || (told as { peopleBelow: number }).peopleBelow === 0,
  )
})

test('checks of one device, a group and a VPN name say how much [A-04] [C-10]', async () => {
  const ask = (who: keyof Seeded['people'], query: object) =>
    as(who).isAuthorized({ params, query: query })
  expect(await ask('viewer', { deviceId: oven })).toEqual({
    deviceGeneralPermission: 'REGULAR_USER',
    vpnGeneralPermission: 'NONE',
  })
  expect(await ask('administrator', { deviceId: oven })).toEqual({
    deviceGeneralPermission: 'ADMINISTRATOR',
    vpnGeneralPermission: 'ADMINISTRATOR',
  })
  const { id } = await policyNamed('Oven')
  expect((await ask('operator', { deviceGroup: id })).deviceGeneralPermission).toBe('ADMINISTRATOR')
  expect((await ask('viewer', { vpnName: 'press 7' })).vpnGeneralPermission).toBe('NONE')
  await expect(ask('member', { deviceId: oven })).rejects.toMatchObject(missing)
  await expect(ask('administrator', { deviceId: foreign })).rejects.toMatchObject(missing)
  const acqua = await as('foreigner').securityPolicies({ params: { org: 'acqua' }, query: {} })
  await expect(ask('administrator', { deviceGroup: acqua.content[0]!.id })).rejects.toMatchObject(
    missing,
  )
  await expect(ask('viewer', {})).rejects.toMatchObject({ status: 400 })
})

test('of many devices every one is looked at, foreign ones are left out, attack 59 [A-04]', async () => {
  const ask = (deviceIds: string[], who: keyof Seeded['people'] = 'operator') =>
    as(who).areAuthorized({ params, body: { deviceIds } })
  const mixed = await ask([oven, foreign, pump, 'Z'.repeat(22), oven])
  expect(Object.keys(mixed).toSorted()).toEqual([oven, pump])
  expect(await ask([foreign])).toEqual({})
  expect(await ask([oven], 'member')).toEqual({})
  // From above only what reaches down counts.
  const above = { params: { org: 'nordwerk' }, body: { deviceIds: [oven] } }
  expect(await as('parentPlain').areAuthorized(above)).toEqual({})
  expect(Object.keys(await as('parentInherit').areAuthorized(above))).toEqual([oven])
})
