import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
  testPassword,
} from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
const password = testPassword
const userOf = async (username: string) =>
  (await as('owner').users({ params, query: { username } })).content[0]!
const refusedRights = { status: 403, code: 'core.beyond_own_rights' }

test('a person knows themselves [C-01]', async () => {
  expect(await as('viewer').me({})).toMatchObject({ username: 'vera', serviceAccount: false })
  expect(await as('viewer').userExists({ params: { name: 'Oskar' } })).toBe(true)
  expect(await as('foreigner').userExists({ params: { name: 'oskar' } })).toBe(false)
})

test('a person is made with account, membership and groups', async () => {
  const group = await as('owner').createUserGroup({ params, body: { name: 'Night shift' } })
  const body = {
    username: ' Nina ',
    email: 'nina@example.org',
    firstName: 'Nina',
    lastName: 'Berg',
    password,
    adminUserOf: [group.id],
  }
  const made = await as('administrator').createUser({ params, body })
  expect(made).toMatchObject({ username: 'nina', email: 'nina@example.org', firstName: 'Nina' })
  const mine = { ...params, group: String(group.id) }
  const [member] = await as('owner').groupMembers({ params: mine })
  expect(member).toMatchObject({ id: made.id, membershipRole: 'ADMIN' })
  const groups = await as('owner').userGroups({ params, query: { userId: made.id } })
  expect(groups.content.map(({ type }) => type).toSorted()).toEqual([
    'ALL_USER',
    'SELF_USER',
    'STANDARD',
  ])
})

test('a name is taken once in a realm, however many ask at once', async () => {
  const make = () =>
    as('administrator').createUser({ params, body: { username: 'twin', password } })
  const results = await Promise.allSettled([make(), make(), make(), make()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(make()).rejects.toMatchObject({
    status: 409,
    code: 'core.username_taken',
    details: { field: 'username' },
  })
})

test('bad fields, weak passwords and foreign groups are named', async () => {
  const make = (body: {
    username: string
    email?: string
    password?: string
    memberOf?: number[]
  }) => as('administrator').createUser({ params, body: { password, ...body } })
  await expect(make({ username: 'a b' })).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'username' }] },
  })
  await expect(make({ username: 'ok', email: 'no' })).rejects.toMatchObject({ status: 400 })
  await expect(make({ username: 'ok', password: 'short' })).rejects.toMatchObject({
    status: 422,
    details: { field: 'password' },
  })
  const [foreign] = (await as('foreigner').userGroups({ params: { org: 'acqua' }, query: {} }))
    .content
  await expect(make({ username: 'ok', memberOf: [foreign!.id] })).rejects.toMatchObject({
    status: 422,
    code: 'core.not_in_organization',
  })
  expect(await as('viewer').userExists({ params: { name: 'ok' } })).toBe(false)
})

test('people are searched and paged', async () => {
  const find = async (query: object) =>
    (await as('administrator').users({ params, query })).content.map(({ username }) => username)
  expect(await find({ search: 'BERG' })).toEqual(['nina'])
  expect(await find({ type: 'SERVICE' })).toEqual([])
  expect(await find({ pageSize: 2 })).toEqual(['adam', 'mia'])
})

test('another organization sees nobody, and a viewer may not look [A-05]', async () => {
  const { id } = await userOf('oskar')
  const user = { params: { ...params, user: id } }
  await expect(as('foreigner').users({ params, query: {} })).rejects.toMatchObject({ status: 404 })
  await expect(as('viewer').users({ params, query: {} })).rejects.toMatchObject({ status: 403 })
  const elsewhere = { params: { org: 'acqua', user: id } }
  await expect(as('foreigner').user(elsewhere)).rejects.toMatchObject({ status: 404 })
  expect(await as('parentInherit').organization({ params })).toMatchObject({ name: 'service' })
  expect(await as('owner').user(user)).toMatchObject({ username: 'oskar' })
})

test('a person is changed here and in identity', async () => {
  const { id, sub } = await userOf('nina')
  const changed = await as('administrator').updateUser({
    params: { ...params, user: id },
    body: { lastName: 'Tal', password: 'another long phrase 8' },
  })
  expect(changed).toMatchObject({ firstName: 'Nina', lastName: 'Tal' })
  const sql = 'select last_name, password from identity.account where sub = $1'
  const { rows } = await server.database.pool.query(sql, [sub])
  expect(rows).toEqual([{ last_name: 'Tal', password: 'another long phrase 8' }])
})

test('nobody takes over the account of somebody with more rights [A-05]', async () => {
  const { owner } = seeded.people
  const { service } = seeded.organizations
  const dealer = await addPerson(server, owner, {
    org: service,
    username: 'dora',
    roles: ['app_dealer'],
  })
  const asDealer = server.as(dealer, coreContract)
  const { id } = await userOf('adam')
  const takeOver = { params: { ...params, user: id }, body: { password } }
  await expect(asDealer.updateUser(takeOver)).rejects.toMatchObject(refusedRights)
  const remove = { params: { ...params, user: id } }
  await expect(asDealer.deleteUser(remove)).rejects.toMatchObject({ status: 403 })
})

test('who belongs to an organization above is out of reach of an administrator below [A-05]', async () => {
  const { owner } = seeded.people
  const { press } = seeded.organizations
  const known = await server.as(owner, coreContract).createUser({
    params: { org: press.resourceId },
    body: { username: 'paul', existing: true },
  })
  const change = { params: { org: press.resourceId, user: known.id }, body: { password } }
  await expect(as('neighbour').updateUser(change)).rejects.toMatchObject(refusedRights)
})

test('a removed person loses membership, groups and, without any organization, the account', async () => {
  const { id, sub } = await userOf('nina')
  await as('owner').deleteUser({ params: { ...params, user: id } })
  await expect(
    server.asService(coreContract).admission({ query: { sub, organization: params.org } }),
  ).rejects.toMatchObject({ status: 404 })
  const groups = await as('owner').userGroups({ params, query: { username: 'nina' } })
  expect(groups.content).toEqual([])
  const { rows } = await server.database.pool.query(
    'select from identity.account where username = $1',
    ['nina'],
  )
  expect(rows).toEqual([])
})

test("one keeps properties of one's own, as plain text [C-15] [T-04] [E-09]", async () => {
  const at = (user: string) => ({ user, service: 'portal', property: 'locale' })
  const viewer = as('viewer')
  expect(await viewer.property({ params: at('mine') })).toBe(undefined)
  expect(await viewer.setProperty({ params: at('vera'), body: 'de' })).toBe('de')
  await viewer.setProperty({ params: at('mine'), body: 'it' })
  expect(await viewer.property({ params: at(seeded.people.viewer.sub) })).toBe('it')
  expect(await as('operator').property({ params: at('mine') })).toBe(undefined)
  await expect(as('owner').property({ params: at('vera') })).rejects.toMatchObject({ status: 404 })
})

test('what somebody keeps and where they belong in one organization does not touch another', async () => {
  const press = { org: 'nordwerk.press' }
  const { id } = await as('owner').createUser({ params, body: { username: 'both', password } })
  const body = { username: 'both', existing: true }
  await as('owner').createUser({ params: press, body })
  const query = { serviceName: 'portal' }
  for (const org of [params, press]) {
    await as('owner').setUserPreference({ params: org, body: { ...query, value: org.org } })
  }
  await as('owner').deleteUserPreference({ params, query })
  const kept = await as('owner').userPreferences({ params: press, query })
  expect(kept).toMatchObject([{ value: press.org }])
  await as('owner').deleteUser({ params: { ...params, user: id } })
  const left = await as('owner').users({ params: press, query: { username: 'both' } })
  expect(left.content).toMatchObject([{ id }])
})

test('lists are searched without case and accents', async () => {
  await as('owner').createUserGroup({ params, body: { name: 'Frühschicht ÄÉ' } })
  await as('owner').createOrganization({
    params: { org: 'nordwerk' },
    query: {},
    body: { name: 'aerztehaus', label: 'Ärztehaus Élan' },
  })
  for (const search of ['frühschicht äé', 'FRUHSCHICHT AE', 'Äé']) {
    const { content } = await as('owner').userGroups({ params, query: { search } })
    expect(content.map(({ label }) => label)).toEqual(['Frühschicht ÄÉ'])
  }
  for (const search of ['ÄRZTE', 'ärzte', 'elan']) {
    const { content } = await as('owner').organizations({
      params: { org: 'nordwerk' },
      query: { search },
    })
    expect(content.map(({ label }) => label)).toEqual(['Ärztehaus Élan'])
  }
})

test('preferences belong to one person in one organization [C-15] [E-09]', async () => {
  const viewer = as('viewer')
  const body = { serviceName: 'dashboards', value: 'd1' }
  await viewer.setUserPreference({ params, body: { ...body, value: 'd0' } })
  const kept = await viewer.setUserPreference({ params, body })
  expect(kept).toMatchObject({ ...body, username: 'vera', orgResourceId: params.org })
  expect(await viewer.userPreferences({ params, query: {} })).toEqual([kept])
  expect(await as('operator').userPreferences({ params, query: {} })).toEqual([])
  await expect(as('foreigner').userPreferences({ params, query: {} })).rejects.toMatchObject({
    status: 404,
  })
  await viewer.deleteUserPreference({ params, query: { serviceName: 'dashboards' } })
  expect(await viewer.userPreferences({ params, query: {} })).toEqual([])
})

test('the language of a person is one over all their organizations [T-04]', async () => {
  const [owner, other] = [as('owner'), as('operator')]
  const at = (org: string) => ({ params: { org }, query: { serviceName: 'locale' } })
  const save = (org: string, value: string) =>
    owner.setUserPreference({ params: { org }, body: { serviceName: 'locale', value } })
  const heard = async (org: string) =>
    (await owner.userPreferences(at(org))).map(({ value }) => value)
  await save('nordwerk', 'de-DE')
  expect(await heard(params.org)).toEqual(['de-DE'])
  await save(params.org, 'it-IT')
  expect([await heard('nordwerk'), await heard(params.org)]).toEqual([['it-IT'], ['it-IT']])
  await save('nordwerk', 'fr-FR')
  expect([await heard('nordwerk'), await heard(params.org)]).toEqual([['fr-FR'], ['fr-FR']])
  expect(await other.userPreferences(at(params.org))).toEqual([])
  await owner.deleteUserPreference(at(params.org))
  expect(await heard('nordwerk')).toEqual([])
})

test('keys in one organization take no place in another [C-16]', async () => {
  const make = (org: string) => as('owner').createApiKey({ params: { org }, body: null })
  await make('nordwerk')
  await make('nordwerk')
  await expect(make('nordwerk')).rejects.toMatchObject({ code: 'core.too_many_keys' })
  expect(await make('nordwerk.service')).toMatchObject({ orgResourceId: 'nordwerk.service' })
})
