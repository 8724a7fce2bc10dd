import { type TestServer, testServer } from '@longreach/kit/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
const params = { org: 'nordwerk.service' }
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const listed = async (who: keyof Seeded['people'], details = true) => {
  const { content } = await as(who).users({ params, query: { details } })
  return new Map(content.map((person) => [person.username, person]))
}
const change = (username: string, set: ReturnType<typeof sql>) =>
  sql`update identity.account set ${set} where username = ${username}`.execute(server.database.db)

test('a list with details tells roles, second factor, last sign-in and state [C-06]', async () => {
  const group = await as('owner').createUserGroup({ params, body: { name: 'Night shift' } })
  const roles = await as('owner').roles({ params, query: {} })
  const viewer = roles.content.find(({ name }) => name === 'app_viewer')
  const at = { ...params, group: String(group.id) }
  await as('owner').addGroupRoles({ params: { ...at, roles: String(viewer?.id) } })
  const vera = (await listed('owner', false)).get('vera')
  expect(vera).not.toHaveProperty('roles')
  expect(vera).not.toHaveProperty('state')
  const mia = (await listed('owner')).get('mia')
  await as('owner').addGroupMember({ params: { ...at, user: String(mia?.id) }, query: {} })
  await as('owner').createUser({ params, body: { username: 'ilse' } })
  const signedIn = new Date('2026-01-05T10:00:00Z')
  await change('vera', sql`second_factor = true, last_sign_in_at = ${signedIn}`)
  await change('oskar', sql`locked_until = ${new Date('2100-01-01T00:00:00Z')}`)
  const list = await listed('owner')
  const role = { id: viewer?.id, name: 'app_viewer', label: viewer?.label, owner: 'SYSTEM' }
  expect(list.get('vera')).toMatchObject({
    state: 'ACTIVE',
    twoFactor: true,
    lastSignIn: signedIn.getTime(),
    lockedUntil: null,
    roles: [{ ...role, own: true }],
    ownGroup: expect.any(Number),
  })
  expect(list.get('mia')).toMatchObject({ roles: [{ ...role, own: false }], twoFactor: false })
  expect(list.get('ilse')).toMatchObject({ state: 'INVITED', roles: [], lastSignIn: null })
  expect(list.get('oskar')).toMatchObject({ state: 'LOCKED' })
  await as('owner').updateUser({
    params: { ...params, user: String(mia?.id) },
    body: { enabled: false },
  })
  expect((await listed('owner')).get('mia')).toMatchObject({ state: 'DISABLED' })
})

test('a list of those invited or locked holds no others, page by page [C-06]', async () => {
  await as('owner').createUser({ params, body: { username: 'ivo' } })
  await change('vera', sql`locked_until = ${new Date('2100-01-01T00:00:00Z')}`)
  const names = async (query: object) => {
    const { content, last } = await as('owner').users({ params, query })
    return [...content.map(({ username }) => username), last]
  }
  expect(await names({ status: 'LOCKED' })).toEqual(['oskar', 'vera', true])
  expect(await names({ status: 'INVITED' })).toEqual(['ilse', 'ivo', true])
  expect(await names({ status: 'INVITED', pageSize: 1, page: 1 })).toEqual(['ivo', true])
  expect(await names({ status: 'INVITED', search: 'ils' })).toEqual(['ilse', true])
  expect(await names({ status: 'LOCKED', type: 'SERVICE' })).toEqual([true])
  const unlocked = sql`locked_until = null`
  await change('vera', unlocked)
  expect(await names({ status: 'LOCKED' })).toEqual(['oskar', true])
})

test('who may read people and no more is told no second factors, sign-ins or locks', async () => {
  const role = await as('owner').createRole({
    params,
    body: {
      name: 'reader',
      label: 'Reader of people',
      rules: [{ resource: 'users', actions: ['read'] }],
    } as never,
  })
  const vera = (await listed('owner')).get('vera')
  const at = { ...params, group: String(vera?.ownGroup), roles: String(role.id) }
  await as('owner').addGroupRoles({ params: at })
  const list = await listed('viewer')
  expect(list.get('oskar')).toMatchObject({ state: 'ACTIVE' })
  for (const person of list.values()) {
    expect(person).not.toHaveProperty('twoFactor')
    expect(person).not.toHaveProperty('lastSignIn')
    expect(person).not.toHaveProperty('lockedUntil')
  }
  await expect(listed('foreigner')).rejects.toMatchObject({ status: 404 })
})
