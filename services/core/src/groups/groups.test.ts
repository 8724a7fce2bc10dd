import type { Capability } from '@longreach/authorization/capability'
import { type TestServer, testServer } from '@longreach/kit/testing'
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
const idOf = async (username: string) =>
  (await as('owner').userByName({ params: { ...params, username } })).id
const roleNamed = async (name: string, org = params.org) =>
  (await as('owner').roles({ params: { org }, query: { name } })).content[0]!.id
const capabilityOf = async (sub: string) => {
  const query = { sub, organization: params.org }
  const { capability } = await server.asService(coreContract).admission({ query })
  return capability as Capability
}
const newPerson = (username: string, ...roles: string[]) =>
  addPerson(server, seeded.people.owner, {
    org: seeded.organizations.service,
    username,
    roles,
  })
const missingRight = { status: 403, code: 'auth.missing_permission' }
const beyond = { status: 403, code: 'core.beyond_own_rights' }
const lastOne = { status: 409, code: 'core.last_administrator' }

test('a group is changed as whole sets at once [C-08] [E-04]', async () => {
  const [mia, oskar, vera] = await Promise.all([idOf('mia'), idOf('oskar'), idOf('vera')])
  const viewer = await roleNamed('app_viewer')
  const group = await as('administrator').createUserGroup({
    params,
    body: { name: 'Shift', regularUserMembersId: [mia], adminUserMembersId: [oskar] },
  })
  const at = { params: { ...params, group: group.id } }
  const changed = await as('administrator').updateUserGroup({
    ...at,
    body: { name: 'Early shift', adminUserMembersId: [vera], rolesId: [viewer] },
  })
  expect(changed).toMatchObject({ name: 'Early shift', memberCount: 2, rolesId: [viewer] })
  const parts = async () =>
    (await as('administrator').groupMembers(at)).map((one) => [one.username, one.membershipRole])
  expect(await parts()).toEqual([
    ['mia', 'USER'],
    ['vera', 'ADMIN'],
  ])
  await as('administrator').updateUserGroup({ ...at, body: { membersId: [vera, oskar] } })
  expect(await parts()).toEqual([
    ['oskar', 'USER'],
    ['vera', 'ADMIN'],
  ])
  expect((await as('administrator').userGroup(at)).rolesId).toEqual([viewer])
  const taken = { params, body: { name: 'Early shift' } }
  await expect(as('administrator').createUserGroup(taken)).rejects.toMatchObject({
    status: 409,
    code: 'core.name_taken',
    details: { field: 'name' },
  })
})

test('groups are found by type: the two kinds of one’s own, or all [C-08]', async () => {
  const found = async (type: 'SELF_USER_ANY' | 'SELF_USER' | 'SELF_USER_SERVICE' | 'ALL') =>
    (await as('owner').userGroups({ params, query: { type, username: 'robot' } })).content.map(
      (group) => group.type,
    )
  await as('administrator').createUser({
    params,
    body: { username: 'robot', email: '--', serviceAccount: true },
  })
  expect(await found('SELF_USER_ANY')).toEqual(['SELF_USER_SERVICE'])
  expect(await found('SELF_USER')).toEqual([])
  expect((await found('ALL')).toSorted()).toEqual(['ALL_USER', 'SELF_USER_SERVICE'])
})

test('the second of several ids is checked like the first (attack 57)', async () => {
  const group = await as('administrator').createUserGroup({ params, body: { name: 'Checked' } })
  const own = await roleNamed('app_viewer')
  const foreign = (await as('foreigner').roles({ params: { org: 'acqua' }, query: {} })).content[0]!
  const missing = { status: 404, code: 'core.not_found' }
  const at = { ...params, group: String(group.id) }
  const roles = `${own},${foreign.id}`
  await expect(as('owner').addGroupRoles({ params: { ...at, roles } })).rejects.toMatchObject(
    missing,
  )
  const [all] = (await as('owner').securityPolicies({ params, query: { name: '*' } })).content
  const [theirs] = (
    await as('foreigner').securityPolicies({ params: { org: 'acqua' }, query: { name: '*' } })
  ).content
  const policies = `${all!.id},${theirs!.id}`
  await expect(as('owner').addGroupPolicies({ params: { ...at, policies } })).rejects.toMatchObject(
    missing,
  )
  const mia = await idOf('mia')
  const stranger = (await as('foreigner').users({ params: { org: 'acqua' }, query: {} }))
    .content[0]!
  for (const body of [
    { membersId: [mia, stranger.id] },
    { rolesId: [own, foreign.id] },
    { policiesId: [all!.id, theirs!.id] },
  ]) {
    const change = as('owner').updateUserGroup({ params: { ...params, group: group.id }, body })
    await expect(change).rejects.toMatchObject({ details: { field: Object.keys(body)[0] } })
  }
  const after = await as('owner').userGroup({ params: { ...params, group: group.id } })
  expect(after).toMatchObject({ memberCount: 0, rolesId: [], policiesId: [] })
})

test('a group’s administrator manages its members and nothing else [C-08]', async () => {
  const { member, viewer } = seeded.people
  const [mia, vera, oskar] = await Promise.all([idOf('mia'), idOf('vera'), idOf('oskar')])
  const group = await as('administrator').createUserGroup({
    params,
    body: { name: 'Self-run', adminUserMembersId: [mia], rolesId: [await roleNamed('app_viewer')] },
  })
  const at = (user: number) => ({ params: { ...params, group: group.id, user } })
  const asMia = server.as(member, coreContract)
  await asMia.addGroupMember({ ...at(vera), query: { role: 'USER' } })
  const members = await asMia.groupMembers({ params: { ...params, group: group.id } })
  expect(members.map(({ username }) => username)).toEqual(['mia', 'vera'])
  const asVera = server.as(viewer, coreContract)
  await expect(asVera.addGroupMember({ ...at(oskar), query: {} })).rejects.toMatchObject(
    missingRight,
  )
  const roles = String(await roleNamed('app_operator'))
  const give = asMia.addGroupRoles({ params: { ...params, group: String(group.id), roles } })
  await expect(give).rejects.toMatchObject(missingRight)
  await asMia.removeGroupMember(at(vera))
  const other = await as('administrator').createUserGroup({ params, body: { name: 'Other' } })
  const elsewhere = { params: { ...params, group: other.id, user: vera }, query: {} }
  await expect(asMia.addGroupMember(elsewhere)).rejects.toMatchObject(missingRight)
})

test('device groups of a group restrict only who lets their groups restrict them [E-03]', async () => {
  const restricted = await newPerson('rita', 'app_operator')
  const rita = await idOf('rita')
  const policy = await as('owner').createSecurityPolicy({ params, body: { name: 'Hall 1' } })
  await as('owner').createUserGroup({
    params,
    body: { name: 'Hall 1 people', membersId: [rita], policiesId: [policy.id] },
  })
  expect((await capabilityOf(restricted.sub)).policies).toBe(undefined)
  const at = { params: { ...params, user: rita } }
  const on = await as('administrator').updateUser({ ...at, body: { groupPoliciesEnabled: true } })
  expect(on.groupPoliciesEnabled).toBe(true)
  expect((await capabilityOf(restricted.sub)).policies).toEqual([policy.id])
  await as('administrator').updateUser({ ...at, body: { groupPoliciesEnabled: false } })
  expect((await capabilityOf(restricted.sub)).policies).toBe(undefined)
})

test('who is restricted changes no restriction, least of all their own [A-05]', async () => {
  const clerk = await newPerson('clara', 'app_administrator')
  const clara = await idOf('clara')
  const policy = await as('owner').createSecurityPolicy({ params, body: { name: 'Hall 2' } })
  const group = await as('owner').createUserGroup({
    params,
    body: { name: 'Hall 2 people', membersId: [clara], policiesId: [policy.id] },
  })
  const self = { params: { ...params, user: clara } }
  await as('owner').updateUser({ ...self, body: { groupPoliciesEnabled: true } })
  const asClara = server.as(clerk, coreContract)
  const [all] = (await as('owner').securityPolicies({ params, query: { name: '*' } })).content
  const inGroup = { params: { ...params, group: group.id } }
  for (const attempt of [
    () => asClara.updateUser({ ...self, body: { groupPoliciesEnabled: false } }),
    () => asClara.removeGroupMember({ params: { ...inGroup.params, user: clara } }),
    () => asClara.deleteUserGroup(inGroup),
    () => asClara.updateUserGroup({ ...inGroup, body: { policiesId: [] } }),
    () => asClara.updateUserGroup({ ...inGroup, body: { membersId: [] } }),
  ]) {
    await expect(attempt()).rejects.toMatchObject(beyond)
  }
  const widen = { ...params, user: String(clara), policies: String(all!.id) }
  await expect(asClara.addUserPolicies({ params: widen })).rejects.toMatchObject({
    code: 'core.oneself',
  })
  expect((await capabilityOf(clerk.sub)).policies).toEqual([policy.id])
})

test('nobody takes away by a group what they do not have [A-05]', async () => {
  const dealer = server.as(await newPerson('doris', 'app_dealer'), coreContract)
  const oskar = await idOf('oskar')
  const group = await as('owner').createUserGroup({
    params,
    body: {
      name: 'Chiefs',
      membersId: [oskar],
      rolesId: [await roleNamed('app_administrator')],
    },
  })
  const at = { ...params, group: group.id }
  await expect(dealer.removeGroupMember({ params: { ...at, user: oskar } })).rejects.toMatchObject(
    beyond,
  )
  const take = dealer.updateUserGroup({ params: at, body: { rolesId: [] } })
  await expect(take).rejects.toMatchObject(beyond)
})

test('an organization keeps its last administrator, whatever way is tried (attack 64)', async () => {
  const owner = as('owner')
  const root = { org: 'nordwerk' }
  const me = await owner.userByName({ params: { ...root, username: 'owner' } })
  const own = { userId: me.id, type: 'SELF_USER_ANY' as const }
  const [group] = (await owner.userGroups({ params: root, query: own })).content
  const at = { ...root, group: group!.id }
  const roles = group!.rolesId.join(',')
  for (const attempt of [
    () => owner.deleteUser({ params: { ...root, user: me.id } }),
    () => owner.deleteAccount({ params: { ...root, user: me.id } }),
    () => owner.removeGroupRoles({ params: { ...root, group: String(group!.id), roles } }),
    () => owner.updateUserGroup({ params: at, body: { rolesId: [] } }),
  ]) {
    await expect(attempt()).rejects.toMatchObject(lastOne)
  }
  const off = owner.updateUser({ params: { ...root, user: me.id }, body: { enabled: false } })
  await expect(off).rejects.toMatchObject({ status: 409, code: 'core.oneself' })
  expect(await owner.me({})).toMatchObject({ enabled: true })
})

test('two administrators who remove each other at once leave one (attack 64)', async () => {
  const acqua = { org: 'acqua' }
  const owner = as('foreigner')
  const body = { username: 'second', password: 'a long pass phrase 7' }
  const administrators = (
    await owner.userGroups({
      params: acqua,
      query: { username: 'owner', type: 'SELF_USER_ANY' },
    })
  ).content[0]!.rolesId
  const second = await owner.createUser({
    params: acqua,
    body: { ...body, rolesId: administrators },
  })
  const first = await owner.userByName({ params: { ...acqua, username: 'owner' } })
  const asSecond = server.as(
    { kind: 'user', sub: second.sub, username: 'second', realm: 'acqua' },
    coreContract,
  )
  const results = await Promise.allSettled([
    owner.updateUser({ params: { ...acqua, user: second.id }, body: { enabled: false } }),
    asSecond.updateUser({ params: { ...acqua, user: first.id }, body: { enabled: false } }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
