import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const params = { org: 'nordwerk.service' }
const password = 'a long pass phrase 7'
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  for (const [username, firstName, lastName] of [
    ['u3', 'Änne', 'Zorn'],
    ['u1', 'Karl', 'Albers'],
    ['u2', '100%', 'Berg_Tal'],
  ] as const) {
    const body = { username, firstName, lastName, password, email: `${username}@example.org` }
    await as('administrator').createUser({ params, body })
  }
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const find = async (query: object) =>
  (await as('administrator').users({ params, query })).content.map(({ username }) => username)

test('part of a name is found anywhere, its beginning from one letter on [C-06]', async () => {
  expect(await find({ search: 'LBER' })).toEqual(['u1'])
  expect(await find({ search: 'änne z' })).toEqual(['u3'])
  expect(await find({ search: 'k' })).toEqual(['u1'])
  expect(await find({ search: 'lb' })).toEqual([])
  expect(await find({ search: 'u2@example' })).toEqual(['u2'])
})

test('signs that mean something to the database mean themselves', async () => {
  expect(await find({ search: '100%' })).toEqual(['u2'])
  expect(await find({ search: 'g_t' })).toEqual(['u2'])
  expect(await find({ search: '%%%' })).toEqual([])
  expect(await find({ search: "'; drop" })).toEqual([])
})

test('people are ordered and paged, and the last page says so [C-06]', async () => {
  const asked = { search: 'example', pageSize: 2 }
  const by = (query: object) => find({ ...asked, ...query })
  expect(await by({ orderBy: 'name' })).toEqual(['u1', 'u2'])
  expect(await by({ orderBy: 'name', page: 1 })).toEqual(['u3'])
  expect(await by({ orderBy: 'email', orderDir: 'DESC' })).toEqual(['u3', 'u2'])
  const first = await as('administrator').users({ params, query: asked })
  expect(first).toMatchObject({ totalElements: 3, last: false })
  const last = await as('administrator').users({ params, query: { ...asked, page: 1 } })
  expect(last).toMatchObject({ totalElements: 3, last: true })
})

test('people are found by group with their part in it, by role, by name [C-06]', async () => {
  const [viewer] = (await as('owner').roles({ params, query: { name: 'app_viewer' } })).content
  expect(await find({ roleId: viewer!.id })).toEqual(['vera'])
  const u1 = await as('owner').userByName({ params: { ...params, username: 'U1' } })
  const group = await as('owner').createUserGroup({
    params,
    body: { name: 'G', adminUserMembersId: [u1.id] },
  })
  const members = await as('owner').users({ params, query: { groupId: group.id } })
  expect(members.content).toMatchObject([{ username: 'u1', membershipRole: 'ADMIN' }])
  expect(await find({ groupId: group.id, membershipRole: 'USER' })).toEqual([])
  const gone = as('owner').userByName({ params: { ...params, username: 'paul' } })
  await expect(gone).rejects.toMatchObject({ status: 404 })
})

test('a deep search sees the organizations below that the caller may read people in [C-06]', async () => {
  const deep = async (who: keyof Seeded['people'], query: object) =>
    (await as(who).deepUsers({ query })).content
  const found = await deep('owner', { organization: 'nordwerk', search: 'u1' })
  expect(found).toMatchObject([
    { username: 'u1', organizations: [{ resourceId: 'nordwerk.service' }] },
  ])
  const all = await deep('owner', { organization: 'nordwerk' })
  expect(all.map(({ username }) => username)).toEqual(
    expect.arrayContaining(['paul', 'nele', 'u1']),
  )
  const press = { organization: 'nordwerk', orgResourceId: 'nordwerk.press' }
  expect((await deep('owner', press)).map(({ username }) => username)).toEqual(['nele'])
  const within = await deep('administrator', { organization: 'nordwerk.service' })
  expect(within.map(({ username }) => username)).not.toContain('nele')
})

test('a deep search leaves out what the caller may not see, and says so of a named one [A-05]', async () => {
  const asked = { organization: 'nordwerk.service', orgResourceId: 'nordwerk.press' }
  await expect(as('administrator').deepUsers({ query: asked })).rejects.toMatchObject({
    status: 404,
    details: { field: 'orgResourceId' },
  })
  const plain = as('parentPlain').deepUsers({ query: { organization: 'nordwerk' } })
  await expect(plain).rejects.toMatchObject({ status: 403 })
  const foreign = as('foreigner').deepUsers({ query: { organization: 'nordwerk' } })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
})

test('an account is deleted out of all its organizations by who may in each [C-06]', async () => {
  const body = { username: 'u1', existing: true }
  await as('owner').createUser({ params: { org: 'nordwerk.press' }, body })
  const u1 = await as('owner').userByName({ params: { ...params, username: 'u1' } })
  const at = { params: { ...params, user: u1.id } }
  await expect(as('administrator').deleteAccount(at)).rejects.toMatchObject({
    status: 403,
    code: 'core.beyond_own_rights',
  })
  await as('owner').deleteAccount(at)
  expect(await as('owner').userExists({ params: { name: 'u1' } })).toBe(false)
  await expect(as('owner').deleteAccount(at)).rejects.toMatchObject({ status: 404 })
})

test('a change of a person is in the trail, without the password', async () => {
  const u2 = await as('owner').userByName({ params: { ...params, username: 'u2' } })
  const change = { lastName: 'Neu', password: 'quite another phrase 9' }
  await as('administrator').updateUser({ params: { ...params, user: u2.id }, body: change })
  const { rows } = await server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded' order by id desc limit 1`,
  )
  expect(rows[0]?.payload).toMatchObject({
    resource: 'users',
    action: 'update',
    label: 'u2',
    before: { lastName: 'Berg_Tal' },
    after: { lastName: 'Neu' },
  })
  expect(JSON.stringify(rows)).not.toContain('quite another')
})
