import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const service = 'nordwerk.service'
const params = { org: service }
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], coreContract)
async function create(label: string, organization = service) {
  const { owner, foreigner } = seeded.people
  const maker = organization.startsWith('acqua') ? foreigner : owner
  const mapped = server.as(maker, mappingsContract)
  const { id } = await mapped.createDevice({ query: { organization }, body: { label } })
  await server.settle()
  return id
}
const group = async (name: string) =>
  String((await as('owner').createSecurityPolicy({ params, body: { name } })).id)
const inside = async (policy: string) =>
  (await as('owner').policyDevices({ params: { ...params, policy }, query: {} })).content.map(
    ({ hwId }) => hwId,
  )
const numberOf = async (username: string) =>
  String((await as('owner').users({ params, query: { username } })).content[0]?.id)

test('a device group is made, found, renamed and deleted [C-12]', async () => {
  const policy = await group('Ovens')
  const one = { params: { ...params, policy } }
  expect(await as('viewer').securityPolicy(one)).toEqual({
    id: Number(policy),
    name: 'Ovens',
    type: 'STANDARD',
  })
  const renamed = await as('owner').updateSecurityPolicy({ ...one, body: { name: 'Big ovens' } })
  expect(renamed.name).toBe('Big ovens')
  const named = await as('viewer').securityPolicies({ params, query: { name: 'Big ovens' } })
  expect(named.content).toEqual([renamed])
  const found = await as('viewer').securityPolicies({ params, query: { search: 'OVEN' } })
  expect(found.content).toEqual([renamed])
  await as('owner').deleteSecurityPolicy(one)
  await expect(as('viewer').securityPolicy(one)).rejects.toMatchObject({ status: 404 })
  await expect(as('owner').deleteSecurityPolicy(one)).rejects.toMatchObject({ status: 404 })
})

test('a name stands for one group, of whatever type [C-12]', async () => {
  await create('Press 7')
  const taken = { status: 409, code: 'core.name_taken', details: { field: 'name' } }
  const make = (name: string) => as('owner').createSecurityPolicy({ params, body: { name } })
  await expect(make('Press 7')).rejects.toMatchObject(taken)
  await expect(make('*')).rejects.toMatchObject(taken)
  const twice = await Promise.allSettled([make('Twice'), make('Twice')])
  expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const policy = await group('Renaming')
  const rename = (name: string) =>
    as('owner').updateSecurityPolicy({ params: { ...params, policy }, body: { name } })
  await expect(rename('Press 7')).rejects.toMatchObject(taken)
  expect(await rename('Renaming')).toMatchObject({ name: 'Renaming' })
  await expect(make('   ')).rejects.toMatchObject({ status: 400 })
})

test('a device named as a group is the one that the name stands for, the group that of its type [C-12]', async () => {
  const policy = await group('Named twice')
  const hits = async (more: object = {}) =>
    (await as('viewer').securityPolicies({ params, query: { name: 'Named twice', ...more } }))
      .content
  expect(await hits()).toMatchObject([{ id: Number(policy), type: 'STANDARD' }])
  await create('Named twice')
  expect(await hits()).toMatchObject([{ name: 'Named twice', type: 'SELF_DEVICE' }])
  expect(await hits({ type: 'STANDARD' })).toMatchObject([{ id: Number(policy) }])
  expect(await hits({ type: 'SELF_DEVICE' })).toHaveLength(1)
})

test('groups of the product follow the devices and stay as they are [C-12]', async () => {
  const device = await create('Own group')
  const byDevice = await as('viewer').securityPolicies({ params, query: { deviceId: device } })
  expect(byDevice.content.map(({ type }) => type).toSorted()).toEqual([
    'ALL_DEVICES',
    'SELF_DEVICE',
  ])
  for (const { id } of byDevice.content) {
    const one = { params: { ...params, policy: String(id) } }
    const kept = { status: 409, code: 'core.made_by_system' }
    await expect(as('owner').deleteSecurityPolicy(one)).rejects.toMatchObject(kept)
    await expect(
      as('owner').updateSecurityPolicy({ ...one, body: { name: 'Mine' } }),
    ).rejects.toMatchObject(kept)
    await expect(
      as('owner').addPolicyDevices({ params: { ...one.params, devices: device } }),
    ).rejects.toMatchObject(kept)
  }
})

test('many devices come and go with comma-joined ids [C-12] [E-04]', async () => {
  const devices = [await create('Many 1'), await create('Many 2'), await create('Many 3')]
  const policy = await group('Many')
  const joined = (ids: string[]) => ({ params: { ...params, policy, devices: ids.join(',') } })
  await as('owner').addPolicyDevices(joined(devices))
  await as('owner').addPolicyDevices(joined(devices))
  expect(await inside(policy)).toEqual(devices)
  await as('owner').removePolicyDevices(joined(devices.slice(1)))
  expect(await inside(policy)).toEqual([devices[0]])
  const body = { add: devices.slice(1), remove: devices.slice(0, 1) }
  await as('owner').changePolicyDevices({ params: { ...params, policy }, body })
  expect(await inside(policy)).toEqual(devices.slice(1))
  await expect(as('owner').removePolicyDevices(joined(devices))).rejects.toMatchObject({
    status: 404,
  })
  expect(await inside(policy)).toEqual(devices.slice(1))
})

test('every id of a list is checked, not the first alone [attack 56] [C-12]', async () => {
  const [own, hidden] = [await create('Own'), await create('Theirs', 'acqua')]
  const aside = await create('Aside', 'nordwerk.press')
  const policy = await group('Checked')
  for (const stranger of [hidden, aside, 'Z'.repeat(22)]) {
    for (const devices of [`${own},${stranger}`, `${stranger},${own}`, stranger]) {
      await expect(
        as('administrator').addPolicyDevices({ params: { ...params, policy, devices } }),
      ).rejects.toMatchObject({ status: 404, code: 'core.not_found' })
    }
    const body = { add: [own, stranger] }
    await expect(
      as('administrator').changePolicyDevices({ params: { ...params, policy }, body }),
    ).rejects.toMatchObject({ status: 404 })
  }
  expect(await inside(policy)).toEqual([])
  const mine = await numberOf('vera')
  const foreign = await server
    .as(seeded.people.foreigner, coreContract)
    .createSecurityPolicy({ params: { org: 'acqua' }, body: { name: 'Foreign' } })
  const policies = `${policy},${foreign.id}`
  await expect(
    as('owner').addUserPolicies({ params: { ...params, user: mine, policies } }),
  ).rejects.toMatchObject({ status: 404 })
  const put = { params: { org: 'acqua', policy, devices: hidden } }
  await expect(as('foreigner').addPolicyDevices(put)).rejects.toMatchObject({ status: 404 })
})

test('nobody else sees or changes a group [A-05] [C-12]', async () => {
  const device = await create('Guarded')
  const policy = await group('Guarded ones')
  const one = { ...params, policy }
  const tries = (who: Who) => [
    () => as(who).securityPolicy({ params: one }),
    () => as(who).policyUse({ params: one }),
    () => as(who).policyDevices({ params: one, query: {} }),
    () => as(who).updateSecurityPolicy({ params: one, body: { name: 'x' } }),
    () => as(who).deleteSecurityPolicy({ params: one }),
    () => as(who).addPolicyDevices({ params: { ...one, devices: device } }),
  ]
  for (const who of ['foreigner', 'neighbour', 'parentPlain'] as const) {
    for (const attempt of tries(who)) await expect(attempt()).rejects.toMatchObject({ status: 404 })
  }
  for (const attempt of tries('viewer').slice(3)) {
    await expect(attempt()).rejects.toMatchObject({ status: 403 })
  }
  for (const attempt of tries('member'))
    await expect(attempt()).rejects.toMatchObject({ status: 403 })
})

test('a group in use says who uses it [C-12]', async () => {
  const policy = await group('In use')
  const user = await numberOf('vera')
  await as('owner').addUserPolicies({ params: { ...params, user, policies: policy } })
  const refused = as('owner').deleteSecurityPolicy({ params: { ...params, policy } })
  await expect(refused).rejects.toMatchObject({
    status: 409,
    code: 'core.in_use',
    details: { usedBy: ['vera'] },
  })
  const rules = [
    { resource: 'devices' as const, actions: ['read' as const], deviceGroup: Number(policy) },
  ]
  const body = { name: 'limited', label: 'Limited', rules }
  const role = await as('owner').createRole({ params, body })
  const byRole = await as('owner').securityPolicies({ params, query: { roleId: role.id } })
  expect(byRole.content.map(({ name }) => name)).toEqual(['In use'])
  const use = await as('owner').policyUse({ params: { ...params, policy } })
  expect(use).toMatchObject({
    devices: 0,
    people: [{ username: 'vera' }],
    roles: [{ label: 'Limited', actions: ['read'] }],
  })
  const unseen = await as('viewer').policyUse({ params: { ...params, policy } })
  expect(unseen).toMatchObject({ people: [], userGroups: [], roles: [] })
  const counted = await as('owner').securityPolicies({
    params,
    query: { name: 'In use', counts: true },
  })
  expect(counted.content).toMatchObject([{ devices: 0, holders: 2 }])
  const users = await as('owner').policyUsers({ params: { ...params, policy }, query: {} })
  expect(users.content.map(({ username }) => username)).toEqual(['vera'])
  await as('owner').removeUserPolicies({ params: { ...params, user, policies: policy } })
  await as('owner').deleteRole({ params: { ...params, role: String(role.id) }, query: {} })
  await as('owner').deleteSecurityPolicy({ params: { ...params, policy } })
})

test('nobody shuts themselves out of the other devices [C-12]', async () => {
  const policies = await group('Trap')
  const user = await numberOf('adam')
  await expect(
    as('administrator').addUserPolicies({ params: { ...params, user, policies } }),
  ).rejects.toMatchObject({ status: 409, code: 'core.oneself' })
})

test('into a group goes only what its roles may be used on by who adds it [A-05]', async () => {
  const device = await create('Wanted')
  const policy = await group('Step up')
  const rules = [
    {
      resource: 'devices' as const,
      actions: ['read' as const, 'delete' as const],
      deviceGroup: Number(policy),
    },
  ]
  await as('owner').createRole({ params, body: { name: 'step', label: 'Step', rules } })
  // The engineer reads and updates devices and fills groups, but deletes no device.
  const add = { params: { ...params, policy, devices: device } }
  await expect(as('parentInherit').addPolicyDevices(add)).rejects.toMatchObject({
    status: 403,
    code: 'core.beyond_own_rights',
  })
  await as('administrator').addPolicyDevices(add)
  await as('parentInherit').removePolicyDevices(add)
})

test('who sees what through a group, and by which role [C-12]', async () => {
  const policy = await group('Sight')
  const rules = [
    { resource: 'devices' as const, actions: ['read' as const], deviceGroup: Number(policy) },
  ]
  await as('owner').createRole({ params, body: { name: 'sight', label: 'Sight', rules } })
  const { service: org } = seeded.organizations
  const { owner } = seeded.people
  await addPerson(server, owner, { org, username: 'limited', roles: ['sight'] })
  await addPerson(server, owner, { org, username: 'restricted', roles: ['app_operator'] })
  const user = await numberOf('restricted')
  await as('owner').addUserPolicies({ params: { ...params, user, policies: policy } })
  const { content } = await as('owner').policySight({ params: { ...params, policy }, query: {} })
  expect(content).toMatchObject([
    {
      user: { username: 'limited' },
      actions: ['read'],
      through: [{ role: 'sight', group: 'limited', organization: service, limited: true }],
    },
    {
      user: { username: 'restricted' },
      actions: ['read', 'update', 'access'],
      through: [{ role: 'app_operator', limited: false }],
    },
  ])
  await expect(
    as('viewer').policySight({ params: { ...params, policy }, query: {} }),
  ).rejects.toMatchObject({ status: 403 })
})

test('who is restricted to a device that is deleted sees nothing, not everything [A-05]', async () => {
  const gone = await create('Deleted soon')
  await create('Somebody else’s')
  const { service: org } = seeded.organizations
  const guest = await addPerson(server, seeded.people.owner, {
    org,
    username: 'only-one',
    roles: ['app_viewer'],
  })
  const user = await numberOf('only-one')
  const [own] = (await as('owner').securityPolicies({ params, query: { name: 'Deleted soon' } }))
    .content
  await as('owner').addUserPolicies({ params: { ...params, user, policies: String(own?.id) } })
  await server
    .as(seeded.people.owner, mappingsContract)
    .deleteDevice({ params: { id: gone }, query: { organization: service } })
  await server.settle()
  const { content } = await server.as(guest, coreContract).coreDevices({ params, query: {} })
  expect(content).toEqual([])
})

test("a person's device groups come and go with comma-joined ids [C-07]", async () => {
  const user = await numberOf('vera')
  const [first, second] = [await group('Vera one'), await group('Vera two')]
  const at = { ...params, user }
  const of = async () =>
    (await as('owner').userPolicies({ params: at, query: {} })).content.map(({ id }) => id)
  await as('owner').addUserPolicies({ params: { ...at, policies: `${first},${second}` } })
  expect((await of()).toSorted()).toEqual([Number(first), Number(second)].toSorted())
  // The same again changes nothing.
  await as('owner').addUserPolicies({ params: { ...at, policies: `${first},${second}` } })
  expect(await of()).toHaveLength(2)
  await as('owner').removeUserPolicies({ params: { ...at, policies: `${first},${second}` } })
  expect(await of()).toEqual([])
  const attempt = as('viewer').addUserPolicies({ params: { ...at, policies: first } })
  await expect(attempt).rejects.toMatchObject({ status: 403 })
})
