import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testNow, testServer } from '@longreach/kit/testing'
import { Kysely, PostgresDialect } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { useImportToken } from './import-token-store.ts'

let server: TestServer
let seeded: Seeded
let now = testNow
beforeAll(async () => {
  const options = { admit: coreAuthorizer, now: () => now }
  server = await testServer([identityForTests, core], options)
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const make = (org: string) => as('owner').createImportToken({ params: { org } })
const check = (who: keyof Seeded['people'], org: string, token: string) =>
  as(who).importToken({ params: { org, token } })
const database = () =>
  new Kysely<CoreDb>({
    dialect: new PostgresDialect({ pool: server.database.pool }),
  }).withSchema('core')

test('a token opens one organization for a day, and both paths of clients work [C-03]', async () => {
  const { token, expirationDate } = await make('nordwerk.press')
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(expirationDate).toEqual(new Date(testNow.getTime() + 86_400_000))
  const good = {
    verifyOutDTO: {
      isValid: true,
      expirationDate,
      errorMessage: null,
      organizationId: seeded.organizations.press.id,
    },
    orgResourceId: 'nordwerk.press',
    organizationName: 'press',
  }
  expect(await check('operator', 'nordwerk.service', token)).toEqual(good)
  const base = '/svc/core/api/v1/organizations/importToken'
  const operator = server.fetchAs({ ...seeded.people.operator, org: 'nordwerk.service' })
  const answer = await operator(`${base}/${token}`)
  expect(await answer.json()).toMatchObject({ orgResourceId: 'nordwerk.press' })
  const owner = server.fetchAs({ ...seeded.people.owner, org: 'nordwerk.press' })
  const made = await owner(base, { method: 'POST' })
  expect(made.status).toBe(201)
})

test('only its fingerprint is kept, and the trail does not tell it', async () => {
  const { token } = await make('nordwerk.press')
  const { rows } = await server.database.pool.query<{ text: string }>(
    `select t::text as text from core.organization_import_token t
      union all select payload::text from bus.event`,
  )
  expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
})

test('a token is used once, however many try at the same moment [attack 52]', async () => {
  const { token } = await make('nordwerk.press')
  const use = () =>
    database()
      .transaction()
      .execute((tx) => useImportToken(tx, token, { now, usedFor: 'a device' }))
  const results = await Promise.all([use(), use(), use()])
  expect(results.filter((one) => one?.resource_id === 'nordwerk.press')).toHaveLength(1)
  expect(results.filter((one) => one === undefined)).toHaveLength(2)
  expect(await check('operator', 'nordwerk.service', token)).toMatchObject({
    verifyOutDTO: { isValid: false, errorMessage: expect.stringContaining('used already') },
    orgResourceId: null,
  })
})

test('after a day, and when its organization is deleted, it opens nothing [attack 52]', async () => {
  const { token: old } = await make('nordwerk.press')
  now = new Date(testNow.getTime() + 86_400_001)
  expect(await check('operator', 'nordwerk.service', old)).toMatchObject({
    verifyOutDTO: { isValid: false, errorMessage: expect.stringContaining('24 hours') },
  })
  now = testNow
  const { token } = await make('nordwerk.press')
  const params = { org: 'nordwerk.press' }
  await as('owner').deleteOrganization({ params, query: {} })
  expect(await check('operator', 'nordwerk.service', token)).toMatchObject({
    verifyOutDTO: { isValid: false, errorMessage: expect.stringContaining('deleted') },
    organizationName: null,
  })
  await as('owner').restoreOrganization({
    params: { org: 'nordwerk', deleted: seeded.organizations.press.id },
  })
})

test('guessing ends after ten wrong tokens, for a quarter of an hour [attack 123]', async () => {
  const guess = (count: number) => check('operator', 'nordwerk.service', `guess-${count}`)
  for (let count = 0; count < 10; count += 1) {
    expect(await guess(count)).toMatchObject({ verifyOutDTO: { isValid: false } })
  }
  const { token } = await make('nordwerk.press')
  for (const one of ['guess-11', token]) {
    await expect(check('operator', 'nordwerk.service', one)).rejects.toMatchObject({
      status: 429,
      code: 'core.too_many_attempts',
      details: { retryAfterS: 900 },
    })
  }
  expect(await check('owner', 'nordwerk', token)).toMatchObject({ verifyOutDTO: { isValid: true } })
  now = new Date(testNow.getTime() + 15 * 60_000 + 1)
  expect(await guess(12)).toMatchObject({ verifyOutDTO: { isValid: false } })
  now = testNow
})

test('tokens are made and listed only by those who may add devices there [A-05]', async () => {
  const params = { org: 'nordwerk.press' }
  for (const who of ['foreigner', 'operator'] as const) {
    await expect(as(who).createImportToken({ params })).rejects.toMatchObject({ status: 404 })
    await expect(as(who).importTokens({ params })).rejects.toMatchObject({ status: 404 })
  }
  await expect(
    as('operator').createImportToken({ params: { org: 'nordwerk.service' } }),
  ).rejects.toMatchObject({ status: 403 })
  await expect(check('viewer', 'nordwerk.service', 'any')).rejects.toMatchObject({ status: 403 })
  const listed = await as('neighbour').importTokens({ params })
  expect(listed[0]).toMatchObject({ createdBy: 'owner', createdAt: testNow })
})
