import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import {
  coreAuthorizer,
  identityForTests,
  ownerOf,
  seed,
  type Seeded,
  testPassword,
} from '../testing.ts'
import { normalizeEmail } from './onboarding-rules.ts'

let server: TestServer
let seeded: Seeded
let clock = new Date('2026-01-05T12:00:00Z')

beforeEach(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => clock })
  seeded = await seed(server)
  server.site.registration = {}
})
afterEach(() => server.close())

const anybody = () => server.as(undefined, coreContract)
type Changes = { name?: string; username?: string; password?: string; agreements?: number[] }
const register = ({ name = 'sole', username = 'mara', password, agreements = [] }: Changes = {}) =>
  anybody().selfOnBoarding({
    query: { agreementsServiceName: 'corvina-cloud-agreements' },
    body: {
      organization: { name, label: 'Sole S.p.A.' },
      user: { username, firstName: 'Mara', password: password ?? testPassword },
      agreements,
    },
  })
const terms = () =>
  server.as(seeded.people.owner, coreContract).createAgreement({
    params: { org: 'nordwerk' },
    body: { type: 'TERM', defaultName: 'Terms', texts: { en: { text: 'Be kind.' } } },
  })
const count = async (query: string) =>
  (await server.database.pool.query<{ count: number }>(query)).rows[0]?.count

test('a person registers and administers an organization and realm of their own [P-05] [C-04]', async () => {
  expect(await anybody().onboarding({})).toEqual({
    open: true,
    mail: false,
    parent: null,
    agreements: [],
  })
  const { confirmation, realmName, organization } = await register()
  expect(confirmation).toBe(false)
  expect(realmName).toBe('sole')
  expect(organization).toMatchObject({ resourceId: 'sole', label: 'Sole S.p.A.', dealer: false })
  const mara = { ...(await ownerOf(server, 'sole')), username: 'mara' }
  expect(await server.as(mara, coreContract).mine({})).toHaveLength(1)
  const { capability, below } = await server
    .asService(coreContract)
    .admission({ query: { sub: mara.sub } })
  expect(below).toBe(true)
  expect(Object.keys(capability.grants).length).toBeGreaterThan(10)
})

test('it is off unless the installation says otherwise, and says so [R-03]', async () => {
  delete server.site.registration
  expect(await anybody().onboarding({})).toMatchObject({ open: false })
  await expect(register()).rejects.toMatchObject({ status: 403, code: 'core.registration_closed' })
  await expect(anybody().confirmOnBoarding({ body: { token: 'x' } })).rejects.toMatchObject({
    code: 'core.registration_closed',
  })
  // Below an organization people share a realm, which needs mail.
  server.site.registration = { parent: 'nordwerk' }
  await expect(register()).rejects.toMatchObject({ code: 'core.registration_closed' })
})

test('the house’s agreements must be accepted, in the version in force, and the proof is kept', async () => {
  const { id } = await terms()
  const { agreements } = await anybody().onboarding({})
  expect(agreements.map((one) => one.id)).toEqual([id])
  await expect(register()).rejects.toMatchObject({
    status: 422,
    code: 'core.agreements_missing',
    details: { field: 'agreements', names: 'Terms' },
  })
  await expect(register({ agreements: [id, 999] })).rejects.toMatchObject({
    status: 409,
    details: { field: 'agreements' },
  })
  await register({ agreements: [id] })
  const params = { org: 'nordwerk', agreement: id }
  const { content } = await server
    .as(seeded.people.owner, coreContract)
    .acceptances({ params, query: {} })
  expect(content).toMatchObject([{ username: 'mara', ip: '127.0.0.1', version: 1 }])
})

test('a name in use, once used, or the house’s own is refused at its field, and nothing is made', async () => {
  for (const name of ['nordwerk', 'master', 'auth']) {
    await expect(register({ name })).rejects.toMatchObject({
      status: 409,
      code: 'core.name_taken',
      details: { field: 'organization.name' },
    })
  }
  const accounts = `select count(*)::int from identity.account where username = 'mara'`
  expect(await count(accounts)).toBe(0)
  expect(await count(`select count(*)::int from identity.realm where name = 'auth'`)).toBe(0)
})

test('twice at once makes one organization and one account', async () => {
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => register()))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of results) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409 })
  }
  expect(await count(`select count(*)::int from core.organization where name = 'sole'`)).toBe(1)
  expect(await count(`select count(*)::int from identity.account where realm = 'sole'`)).toBe(1)
})

test('two people who want one name at once: one gets it, of the other nothing is left', async () => {
  const results = await Promise.allSettled([
    register({ username: 'mara' }),
    register({ username: 'nico' }),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await count(`select count(*)::int from identity.account where realm = 'sole'`)).toBe(1)
})

test('attack 76: a bad password is refused at its field, before anything is made', async () => {
  await expect(register({ password: 'short' })).rejects.toMatchObject({
    status: 422,
    code: 'core.password_refused',
    details: { field: 'user.password' },
  })
  expect(await count(`select count(*)::int from identity.realm where name = 'sole'`)).toBe(0)
})

test('attack 77: nobody takes a name that looks like another, and an address counts once', async () => {
  for (const username of ['mära', 'maгa', 'ma ra', 'a@b', 'mara/x', '', '-mara']) {
    await expect(register({ username })).rejects.toMatchObject({
      status: 400,
      details: { fields: [{ field: 'user.username' }] },
    })
  }
  expect(normalizeEmail(' Anna+Shop@Example.org ')).toBe('anna@example.org')
})

test('attack 67: from one network only so many registrations are taken within an hour', async () => {
  for (let n = 0; n < 10; n++) {
    await expect(register({ name: 'nordwerk' })).rejects.toMatchObject({ status: 409 })
  }
  await expect(register()).rejects.toMatchObject({
    status: 429,
    code: 'core.too_many_attempts',
    details: { retryAfterS: 3600 },
  })
  clock = new Date(clock.getTime() + 61 * 60_000)
  await expect(register()).resolves.toMatchObject({ realmName: 'sole' })
})

test('attack 79: what the form does not have cannot be set', async () => {
  const made = (body: object) =>
    server.fetchAs()('/svc/core/api/v1/organizations/selfOnBoarding', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const organization = { name: 'sole' }
  const user = { username: 'mara', password: testPassword }
  const foreign = { dealer: true, realmName: 'nordwerk', resourceId: 'nordwerk' }
  for (const body of [
    { organization: { ...organization, ...foreign }, user },
    { organization, user: { ...user, serviceAccount: true } },
    { organization, user, parent: 'nordwerk' },
  ]) {
    expect((await made(body)).status).toBe(400)
  }
  const answer = await made({ organization, user })
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({
    organization: { resourceId: 'sole', dealer: false, realmName: 'sole' },
  })
})
