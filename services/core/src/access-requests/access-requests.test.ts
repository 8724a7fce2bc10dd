import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
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
const waiting = async () => (await as('administrator').accessRequests({ params })).content
const roleNamed = async (name: string) =>
  (await as('owner').roles({ params, query: { pageSize: 100 } })).content.find(
    (one) => one.name === name,
  )!.id

/** Somebody of the realm who is not in the organization. */
const outsider = (username: string) =>
  addPerson(server, seeded.people.owner, {
    org: seeded.organizations.press,
    username,
    roles: [],
  })
const asks = async (username: string, note = '') => {
  const person = server.as(await outsider(username), coreContract)
  await person.requestAccess({ body: { organization: params.org, note } })
  return (await waiting()).find((one) => one.username === username)!
}

test('who asks to be let in is seen by the administrators once, with the last note', async () => {
  const person = server.as(await outsider('ilse'), coreContract)
  const ask = (note: string) => person.requestAccess({ body: { organization: params.org, note } })
  await Promise.all([ask('the ovens'), ask('the ovens'), ask('the ovens')])
  await ask('the ovens, please')
  const mine = (await waiting()).filter(({ username }) => username === 'ilse')
  expect(mine).toMatchObject([{ note: 'the ovens, please', member: false }])
})

test('asking tells nothing of organizations that are not there or of another realm', async () => {
  const person = server.as(await outsider('otto'), coreContract)
  const answers = ['nordwerk.nowhere', 'acqua', '1', params.org].map((organization) =>
    person.requestAccess({ body: { organization } }),
  )
  expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined, undefined])
  const foreigner = server.as(seeded.people.foreigner, coreContract)
  await foreigner.requestAccess({ body: { organization: params.org } })
  expect((await waiting()).map(({ username }) => username)).not.toContain('owner')
  const { rows } = await server.database.pool.query(
    `select count(*)::int as count from core.access_request a join core.app_user u on u.id = a.user_id
     where u.username in ('otto', 'owner')`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('one person cannot ask without end', async () => {
  const person = server.as(await outsider('many'), coreContract)
  const ask = () => person.requestAccess({ body: { organization: 'nordwerk.nowhere' } })
  for (let time = 0; time < 10; time++) await ask()
  await expect(ask()).rejects.toMatchObject({ status: 429, code: 'core.too_many_attempts' })
})

test('an administrator accepts with roles that they may hand out, and it is in the trail', async () => {
  const { id } = await asks('ada')
  const call = { params: { ...params, request: id } }
  await expect(
    as('administrator').acceptAccessRequest({ ...call, body: {} }),
  ).rejects.toMatchObject({ status: 422, code: 'core.nothing_given' })
  const body = { rolesId: [await roleNamed('app_viewer')] }
  await as('administrator').acceptAccessRequest({ ...call, body })
  const [person] = (await as('owner').users({ params, query: { username: 'ada' } })).content
  expect(person).toMatchObject({ username: 'ada' })
  expect((await waiting()).map(({ username }) => username)).not.toContain('ada')
  const { rows } = await server.database.pool.query<{ payload: { action: string } }>(
    `select payload from bus.event where payload->>'label' = 'ada'`,
  )
  expect(rows.map(({ payload }) => payload.action)).toContain('acceptRequest')
  await expect(as('administrator').acceptAccessRequest({ ...call, body })).rejects.toMatchObject({
    status: 409,
    code: 'core.already_decided',
  })
})

test('of two decisions at once one counts', async () => {
  const { id } = await asks('dora')
  const decide = () =>
    as('administrator').declineAccessRequest({ params: { ...params, request: id }, body: {} })
  const both = await Promise.allSettled([decide(), decide()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await waiting()).map(({ username }) => username)).not.toContain('dora')
})

test('requests belong to their organization and to who may add people', async () => {
  const { id } = await asks('rita')
  await expect(as('viewer').accessRequests({ params })).rejects.toMatchObject({ status: 403 })
  await expect(as('foreigner').accessRequests({ params })).rejects.toMatchObject({ status: 404 })
  const elsewhere = { params: { org: 'nordwerk', request: id }, body: {} }
  await expect(as('owner').declineAccessRequest(elsewhere)).rejects.toMatchObject({ status: 404 })
})
