import { canDevice } from '@longreach/authorization/can'
import type { Capability } from '@longreach/authorization/capability'
import { publish } from '@longreach/kit/events'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
const refusedRights = { status: 403, code: 'core.beyond_own_rights' }
const oven = 'A'.repeat(22)
const pump = 'B'.repeat(22)

const capabilityOf = async (sub: string, organization = params.org) => {
  const { capability } = await server
    .asService(coreContract)
    .admission({ query: { sub, organization } })
  return capability as Capability
}
const tell = (event: 'deviceCreated' | 'devicePurged', deviceId: string, label: string) =>
  server.database.db.transaction().execute((tx) =>
    event === 'deviceCreated'
      ? publish(tx, mappingsContract.events.deviceCreated, {
          deviceId,
          label,
          orgResourceId: params.org,
        })
      : publish(tx, mappingsContract.events.deviceLife, {
          deviceId,
          label,
          orgResourceId: params.org,
          state: 'purged',
        }),
  )
const eventsOf = async (topic: string) => {
  const sql = 'select payload from bus.event where topic = $1 order by id'
  return (await server.database.pool.query<{ payload: unknown }>(sql, [topic])).rows.map(
    ({ payload }) => payload,
  )
}
const groupsOf = async (deviceId: string) =>
  (await as('owner').securityPolicies({ params, query: { deviceId } })).content
const ownGroup = async (username: string) => {
  const { content } = await as('owner').userGroups({
    params,
    query: { username, type: 'SELF_USER_ANY' },
  })
  return String(content[0]?.id)
}

test('roles are listed by type and owner with their rules [A-01]', async () => {
  const { content } = await as('administrator').roles({
    params,
    query: { type: 'APPLICATION', owner: 'SYSTEM' },
  })
  const viewer = content.find(({ name }) => name === 'app_viewer')
  expect(viewer).toMatchObject({ orgResourceId: params.org, owner: 'SYSTEM', inherit: false })
  expect(viewer?.rules).toContainEqual({
    resource: 'alarms',
    actions: ['read'],
    deviceGroup: null,
    vpnName: null,
  })
  await expect(as('viewer').roles({ params, query: {} })).rejects.toMatchObject({ status: 403 })
})

test('a device gets a group of its own and is in the group of all, here and above', async () => {
  await tell('deviceCreated', oven, 'Oven 1')
  await tell('deviceCreated', pump, 'Pump 1')
  await server.settle()
  const groups = await groupsOf(oven)
  expect(groups.map(({ name, type }) => [name, type])).toEqual([
    ['*', 'ALL_DEVICES'],
    ['Oven 1', 'SELF_DEVICE'],
  ])
  const [above] = (
    await as('owner').securityPolicies({ params: { org: 'nordwerk' }, query: { name: '*' } })
  ).content
  const ids = [above!.id, ...groups.map(({ id }) => id)].toSorted((a, b) => a - b)
  expect(await eventsOf('core.device_groups_changed')).toContainEqual({
    deviceId: oven,
    groups: ids,
  })
})

test('a role limited to a device group reaches its devices only [E-22]', async () => {
  const group = await as('owner').createSecurityPolicy({ params, body: { name: 'Ovens' } })
  const policy = String(group.id)
  await as('owner').addPolicyDevices({ params: { ...params, policy, devices: oven } })
  expect(await eventsOf('core.device_groups_changed')).toContainEqual(
    expect.objectContaining({ deviceId: oven, groups: expect.arrayContaining([group.id]) }),
  )
  const role = await as('administrator').createRole({
    params,
    body: {
      name: 'oven-keeper',
      label: 'Oven keeper',
      rules: [{ resource: 'devices', actions: ['read', 'update'], deviceGroup: group.id }],
    },
  })
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const keeper = await addPerson(server, owner, {
    org: service,
    username: 'kim',
    roles: ['oven-keeper'],
  })
  const capability = await capabilityOf(keeper.sub)
  expect(capability).toEqual({ grants: {}, deviceGroups: [{ mask: 5, groups: [group.id] }] })
  const ids = async (device: string) => (await groupsOf(device)).map(({ id }) => id)
  expect(canDevice(capability, 'update', await ids(oven))).toBe(true)
  expect(canDevice(capability, 'read', await ids(pump))).toBe(false)
  await expect(
    as('owner').deleteRole({ params: { ...params, role: role.id }, query: {} }),
  ).rejects.toMatchObject({ code: 'core.in_use', details: { people: 1 } })
  await as('owner').deleteRole({ params: { ...params, role: role.id }, query: { force: true } })
  expect(await capabilityOf(keeper.sub)).toEqual({ grants: {}, deviceGroups: [] })
})

test('a policy restricts a person, and taking it away lifts that', async () => {
  const { operator } = seeded.people
  const [self] = (await as('owner').securityPolicies({ params, query: { name: 'Pump 1' } })).content
  const [user] = (await as('owner').users({ params, query: { username: 'oskar' } })).content
  const at = { params: { ...params, user: String(user!.id), policies: String(self!.id) } }
  await as('owner').addUserPolicies(at)
  expect((await capabilityOf(operator.sub)).policies).toEqual([self!.id])
  const listed = await as('owner').userPolicies({ params: at.params, query: {} })
  expect(listed.content).toEqual([self])
  await expect(as('operator').removeUserPolicies(at)).rejects.toMatchObject({ status: 403 })
  await as('owner').removeUserPolicies(at)
  expect((await capabilityOf(operator.sub)).policies).toBe(undefined)
})

test('nobody hands out a right that they do not have [A-05]', async () => {
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const dealer = await addPerson(server, owner, {
    org: service,
    username: 'dora',
    roles: ['app_dealer'],
  })
  const asDealer = server.as(dealer, coreContract)
  const all = await as('owner').roles({ params, query: {} })
  const idOf = (name: string) => String(all.content.find((role) => role.name === name)!.id)
  const group = await ownGroup('dora')
  const give = (roles: string) => asDealer.addGroupRoles({ params: { ...params, group, roles } })
  await expect(give(idOf('app_administrator'))).rejects.toMatchObject(refusedRights)
  await expect(give(`${idOf('app_dealer')},${idOf('app_operator')}`)).rejects.toMatchObject(
    refusedRights,
  )
  await give(idOf('app_dealer'))
  const admins = await as('owner').createUserGroup({
    params,
    body: { name: 'Admins', rolesId: [Number(idOf('app_administrator'))] },
  })
  const [self] = (await asDealer.users({ params, query: { username: 'dora' } })).content
  const join = { params: { ...params, group: admins.id, user: self!.id }, query: {} }
  await expect(asDealer.addGroupMember(join)).rejects.toMatchObject(refusedRights)
  const body = { username: 'accomplice', password: 'a long pass phrase 9', memberOf: [admins.id] }
  await expect(asDealer.createUser({ params, body })).rejects.toMatchObject(refusedRights)
})

test('a role that reaches down is given only by who reaches down [A-05]', async () => {
  const rules = [{ resource: 'roles', actions: ['create', 'read'] }] as const
  const body = {
    name: 'flat',
    label: 'Flat',
    rules: rules.map((one) => ({ ...one, actions: [...one.actions] })),
  }
  await as('owner').createRole({ params, body })
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const flat = await addPerson(server, owner, { org: service, username: 'flo', roles: ['flat'] })
  const make = (name: string, inherit: boolean) =>
    server.as(flat, coreContract).createRole({ params, body: { ...body, name, inherit } })
  await expect(make('deep', true)).rejects.toMatchObject(refusedRights)
  expect(await make('same', false)).toMatchObject({ owner: 'ORGANIZATION' })
})

test('groups, roles and members of another organization are not there [A-05]', async () => {
  const group = await ownGroup('oskar')
  const acqua = { org: 'acqua' }
  const missing = { status: 404, code: 'core.not_found' }
  const foreigner = as('foreigner')
  await expect(foreigner.userGroup({ params: { ...acqua, group } })).rejects.toMatchObject(missing)
  const roles = (await as('owner').roles({ params, query: {} })).content
  await expect(foreigner.role({ params: { ...acqua, role: roles[0]!.id } })).rejects.toMatchObject(
    missing,
  )
  const [own] = (await foreigner.userGroups({ params: acqua, query: {} })).content
  const give = { params: { ...acqua, group: String(own!.id), roles: String(roles[0]!.id) } }
  await expect(foreigner.addGroupRoles(give)).rejects.toMatchObject(missing)
  const device = { params: { ...acqua, policy: '1', devices: oven } }
  await expect(foreigner.addPolicyDevices(device)).rejects.toMatchObject(missing)
})

test('what the product keeps itself stays', async () => {
  const conflict = { status: 409, code: 'core.made_by_system' }
  const group = await ownGroup('oskar')
  await expect(as('owner').deleteUserGroup({ params: { ...params, group } })).rejects.toMatchObject(
    conflict,
  )
  const [system] = (await as('owner').roles({ params, query: { owner: 'SYSTEM' } })).content
  await expect(
    as('owner').deleteRole({ params: { ...params, role: system!.id }, query: {} }),
  ).rejects.toMatchObject(conflict)
  const [all] = (await as('owner').securityPolicies({ params, query: { name: '*' } })).content
  await expect(
    as('owner').deleteSecurityPolicy({ params: { ...params, policy: all!.id } }),
  ).rejects.toMatchObject(conflict)
})

test('a group of people carries roles to its members, and back [E-22]', async () => {
  const { member } = seeded.people
  const [viewer] = (await as('owner').roles({ params, query: { name: 'app_viewer' } })).content
  const body = { name: 'Guests', rolesId: [viewer!.id] }
  const { id } = await as('administrator').createUserGroup({ params, body })
  const [user] = (await as('owner').users({ params, query: { username: 'mia' } })).content
  const at = { params: { ...params, group: id, user: user!.id } }
  await as('administrator').addGroupMember({ ...at, query: { role: 'USER' } })
  expect((await capabilityOf(member.sub)).grants['devices']).toBe(1)
  expect((await as('member').myGroups({ params })).usersOf).toContain(id)
  await as('administrator').removeGroupRoles({
    params: { ...params, group: id, roles: String(viewer!.id) },
  })
  expect((await capabilityOf(member.sub)).grants).toEqual({})
  await as('administrator').removeGroupMember(at)
  await expect(as('administrator').removeGroupMember(at)).rejects.toMatchObject({ status: 404 })
  await as('administrator').deleteUserGroup({ params: { ...params, group: id } })
  await expect(
    as('administrator').userGroup({ params: { ...params, group: id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('every change of rights is told', async () => {
  const before = (await eventsOf('core.permissions_changed')).length
  const group = await ownGroup('mia')
  const [viewer] = (await as('owner').roles({ params, query: { name: 'app_viewer' } })).content
  const at = { params: { ...params, group, roles: String(viewer!.id) } }
  await as('owner').addGroupRoles(at)
  await as('owner').removeGroupRoles(at)
  const after = await eventsOf('core.permissions_changed')
  expect(after.slice(before)).toEqual([{ resourceId: params.org }, { resourceId: params.org }])
})

test('a purged device leaves nothing behind', async () => {
  await tell('devicePurged', oven, 'Oven 1')
  await server.settle()
  expect(await groupsOf(oven)).toEqual([])
  const named = await as('owner').securityPolicies({ params, query: { name: 'Oven 1' } })
  expect(named.content).toEqual([])
})

test("another organization's role names are no hindrance to one's own [A-05]", async () => {
  const own = server.as(seeded.people.owner, coreContract)
  const at = { org: 'nordwerk.press' }
  await own.createRole({ params: at, body: { name: 'shared-name', label: 'There' } })
  const params = { org: 'nordwerk.service' }
  const role = await own.createRole({ params, body: { name: 'to-be-renamed', label: 'Here' } })
  const renamed = { params: { ...params, role: role.id }, body: { name: 'shared-name' } }
  expect(await own.updateRole(renamed)).toMatchObject({ name: 'shared-name' })
})
