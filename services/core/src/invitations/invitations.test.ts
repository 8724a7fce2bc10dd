import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let now = new Date('2026-03-01T08:00:00Z')
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => now })
  seeded = await seed(server)
})
afterAll(() => server.close())
// Names looked up count for a minute.
beforeEach(() => {
  now = new Date(now.getTime() + 61_000)
})

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const home = { org: 'nordwerk.service' }
const beside = { org: 'nordwerk.press' }
const refused = { status: 403, code: 'core.beyond_own_rights' }
const addSignedInPerson = async (username: string, ...roles: string[]) => {
  const caller = await addPerson(server, seeded.people.owner, {
    org: seeded.organizations.service,
    username,
    roles,
  })
  return { caller, calls: server.as(caller, coreContract) }
}
const roleIn = async (params: { org: string }, name: string) =>
  (await as('owner').roles({ params, query: { pageSize: 100 } })).content.find(
    (one) => one.name === name,
  )!.id
const post = async (who: keyof Seeded['people'], params: { org: string }, body: object) => {
  const path = `/svc/core/api/v1/organizations/${params.org}/users`
  const answer = await server.fetchAs(seeded.people[who])(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}
const isIn = async (params: { org: string }, username: string) =>
  (await as('owner').users({ params, query: { username } })).totalElements > 0

test('a stranger of the realm is invited, told of nothing, and becomes a member by accepting', async () => {
  const { calls } = await addSignedInPerson('greta')
  const rolesId = [await roleIn(beside, 'app_viewer')]
  const asked = { username: 'greta', existing: true, rolesId }
  expect(await post('neighbour', beside, asked)).toEqual({ status: 202, body: { invited: true } })
  expect(await isIn(beside, 'greta')).toBe(false)
  expect(await as('neighbour').invitations({ params: beside })).toMatchObject([
    { username: 'greta', invitedBy: 'nele' },
  ])
  const [mine] = await calls.myInvitations({})
  expect(mine).toMatchObject({ organization: { resourceId: beside.org }, invitedBy: 'nele' })
  await calls.acceptInvitation({ params: { invitation: mine!.id }, body: {} })
  expect(await isIn(beside, 'greta')).toBe(true)
  const person = await as('neighbour').userByName({ params: { ...beside, username: 'greta' } })
  const { content } = await as('neighbour').userGroups({
    params: beside,
    query: { userId: person.id, type: 'SELF_USER_ANY' },
  })
  expect(content[0]?.rolesId).toEqual(rolesId)
  expect(await calls.myInvitations({})).toEqual([])
  const { rows } = await server.database.pool.query<{ payload: { action: string } }>(
    `select payload from bus.event where topic = 'audit.recorded'
      and payload->>'label' = 'greta' and payload->>'organization' = $1 order by id`,
    [beside.org],
  )
  expect(rows.map(({ payload }) => payload.action)).toEqual(['invite', 'create'])
})

test('who administers somebody already brings them in at once, with the answer as ever [C-06]', async () => {
  await addSignedInPerson('hanna')
  expect(await post('owner', beside, { username: 'hanna', existing: true })).toMatchObject({
    status: 201,
    body: { username: 'hanna', serviceAccount: false },
  })
  expect(await isIn(beside, 'hanna')).toBe(true)
})

test('an invitation is declined or withdrawn, and then opens nothing', async () => {
  const { calls } = await addSignedInPerson('irma')
  const invite = () => as('neighbour').inviteUser({ params: beside, body: { username: 'irma' } })
  const first = async () => ({ invitation: (await calls.myInvitations({}))[0]!.id })
  expect(await invite()).toEqual({ outcome: 'INVITED' })
  // Again changes nothing but the wish.
  expect(await invite()).toEqual({ outcome: 'INVITED' })
  const declined = await first()
  expect(await calls.myInvitations({})).toHaveLength(1)
  await calls.declineInvitation({ params: declined, body: {} })
  await expect(calls.acceptInvitation({ params: declined, body: {} })).rejects.toMatchObject({
    status: 404,
  })
  await invite()
  const withdrawn = await first()
  const elsewhere = { ...home, ...withdrawn }
  await expect(as('administrator').withdrawInvitation({ params: elsewhere })).rejects.toMatchObject(
    { status: 404 },
  )
  await as('neighbour').withdrawInvitation({ params: { ...beside, ...withdrawn } })
  await expect(calls.acceptInvitation({ params: withdrawn, body: {} })).rejects.toMatchObject({
    status: 404,
  })
  expect(await isIn(beside, 'irma')).toBe(false)
})

test('nobody accepts for another, and of two acceptances at once one counts', async () => {
  const { calls } = await addSignedInPerson('jutta')
  const other = await addSignedInPerson('karla')
  await as('neighbour').inviteUser({ params: beside, body: { username: 'jutta' } })
  const params = { invitation: (await calls.myInvitations({}))[0]!.id }
  await expect(other.calls.acceptInvitation({ params, body: {} })).rejects.toMatchObject({
    status: 404,
  })
  const accept = () => calls.acceptInvitation({ params, body: {} })
  const both = await Promise.allSettled([accept(), accept()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an invitation is worth what its inviter may still give, for 30 days', async () => {
  const inviter = await addPerson(server, seeded.people.owner, {
    org: seeded.organizations.press,
    username: 'inviter',
    roles: ['app_administrator'],
  })
  const { calls } = await addSignedInPerson('lotte')
  const invite = () =>
    server.as(inviter, coreContract).inviteUser({ params: beside, body: { username: 'lotte' } })
  await invite()
  const [old] = await calls.myInvitations({})
  const invited = now
  now = new Date(invited.getTime() + 31 * 24 * 3_600_000)
  expect(await calls.myInvitations({})).toEqual([])
  const accept = () => calls.acceptInvitation({ params: { invitation: old!.id }, body: {} })
  await expect(accept()).rejects.toMatchObject({ status: 404 })
  now = new Date(invited.getTime() + 61_000)
  const { id } = await as('owner').userByName({ params: { ...beside, username: 'inviter' } })
  const at = { params: { ...beside, user: id } }
  await as('owner').updateUser({ ...at, body: { enabled: false } })
  await expect(accept()).rejects.toMatchObject({ status: 404 })
  await as('owner').updateUser({ ...at, body: { enabled: true } })
  await accept()
  expect(await isIn(beside, 'lotte')).toBe(true)
})

test('names are not looked up by inviting or creating: they count as guesses', async () => {
  const guess = (n: number) =>
    as('neighbour').inviteUser({ params: beside, body: { username: `nobody-${n}` } })
  for (let n = 0; n < 60; n++) await expect(guess(n)).rejects.toMatchObject({ status: 404 })
  const tooMany = { status: 429, code: 'core.too_many_attempts' }
  await expect(guess(61)).rejects.toMatchObject(tooMany)
  expect(await post('neighbour', beside, { username: 'vera' })).toMatchObject({ status: 429 })
  await expect(as('neighbour').userExists({ params: { name: 'vera' } })).rejects.toMatchObject(
    tooMany,
  )
  expect(await post('neighbour', beside, { username: 'freshname' })).toMatchObject({ status: 201 })
})

test('home keeps its say over people whom another organization let in', async () => {
  const { calls, caller } = await addSignedInPerson('mara', 'app_viewer')
  await as('neighbour').inviteUser({ params: beside, body: { username: 'mara' } })
  const params = { invitation: (await calls.myInvitations({}))[0]!.id }
  await calls.acceptInvitation({ params, body: {} })
  const { id } = await as('administrator').userByName({ params: { ...home, username: 'mara' } })
  const atHome = { params: { ...home, user: id } }
  // A membership that grants nothing keeps nobody from anything.
  await as('administrator').updateUser({ ...atHome, body: { lastName: 'Neu' } })
  await as('neighbour').addGroupRoles({
    params: {
      ...beside,
      group: String(await ownGroup(id)),
      roles: String(await roleIn(beside, 'app_viewer')),
    },
  })
  // With rights there, only that organization may change the account; the membership is still ours.
  const disable = { ...atHome, body: { enabled: false } }
  await expect(as('administrator').updateUser(disable)).rejects.toMatchObject(refused)
  const account = as('administrator').deleteAccount(atHome)
  await expect(account).rejects.toMatchObject(refused)
  await as('administrator').deleteUser(atHome)
  expect(await isIn(home, 'mara')).toBe(false)
  // And who let them in takes them out again.
  await as('neighbour').deleteUser({ params: { ...beside, user: id } })
  expect(await isIn(beside, 'mara')).toBe(false)
  await expect(
    server.asService(coreContract).memberships({ query: { sub: caller.sub } }),
  ).resolves.toEqual([])
})

const ownGroup = async (userId: number) =>
  (
    await as('owner').userGroups({
      params: beside,
      query: { userId, type: 'SELF_USER_ANY' },
    })
  ).content[0]!.id

test('who acts on an account needs the right to in every organization where it counts', async () => {
  const { caller } = await addSignedInPerson('nora', 'app_administrator')
  await addSignedInPerson('otto', 'app_viewer')
  const viewer = { rolesId: [await roleIn(beside, 'app_viewer')] }
  for (const username of ['nora', 'otto']) {
    await post('owner', beside, { username, existing: true, ...viewer })
  }
  // Equal rights in press, but no right to change people there.
  const { id } = await as('owner').userByName({ params: { ...home, username: 'otto' } })
  const at = { params: { ...home, user: id } }
  const nora = server.as(caller, coreContract)
  const takeOver = { ...at, body: { password: 'a quite new phrase 5' } }
  await expect(nora.updateUser(takeOver)).rejects.toMatchObject(refused)
  await expect(nora.impersonateUser(at)).rejects.toMatchObject(refused)
  await as('owner').updateUser(takeOver)
  await nora.deleteUser(at)
  expect(await isIn(home, 'otto')).toBe(false)
})

test('a service account without a wish stays in the organization that made it', async () => {
  const body = { username: 'robot', serviceAccount: true, email: '--' as const }
  const { sub } = await as('administrator').createUser({ params: home, body })
  const place = async () =>
    (await server.asService(coreContract).admission({ query: { sub } })).organization.resourceId
  expect(await place()).toBe(home.org)
  await post('owner', beside, { username: 'robot', existing: true })
  expect(await isIn(beside, 'robot')).toBe(true)
  expect(await place()).toBe(home.org)
})
