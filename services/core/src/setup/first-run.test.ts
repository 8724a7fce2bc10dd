import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, testPassword } from '../testing.ts'
import { normalizeToken, formatToken } from './setup-rules.ts'

let server: TestServer
let clock = new Date('2026-01-05T12:00:00Z')
beforeEach(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => clock })
})
afterEach(() => server.close())

const anybody = () => server.as(undefined, coreContract)
const house = () => server.asService(coreContract)
const owner = { username: 'eva', email: 'eva@example.org', password: testPassword }
const body = (token: string) => ({
  token,
  organization: { name: 'nordwerk', label: 'Nordwerk' },
  user: owner,
})
const freshToken = async () => (await house().setupToken({ body: {} })).token ?? ''

test('the token makes the realm, the organization and an owner who may do everything [P-01]', async () => {
  expect(await anybody().setupNeeded({})).toEqual({ needed: true })
  const token = await freshToken()
  const { organization, user } = await anybody().setup({
    body: body(token.toLowerCase().replaceAll('-', ' ')),
  })
  expect(organization).toMatchObject({ resourceId: 'nordwerk', label: 'Nordwerk', dealer: true })
  expect(user).toMatchObject({ username: 'eva', email: 'eva@example.org' })
  expect(await anybody().setupNeeded({})).toEqual({ needed: false })
  expect(await house().setupToken({ body: {} })).toEqual({ needed: false })
  const { capability, below } = await house().admission({ query: { sub: user.sub } })
  expect(below).toBe(true)
  expect(Object.keys(capability.grants)).toHaveLength(15)
})

test('a wrong, an earlier and a used token are refused by name', async () => {
  const earlier = await freshToken()
  const token = await freshToken()
  for (const bad of ['', 'AAAA-BBBB', earlier]) {
    await expect(anybody().setup({ body: body(bad) })).rejects.toMatchObject({
      status: 403,
      code: 'core.setup_token_refused',
      details: { field: 'token' },
    })
  }
  await anybody().setup({ body: body(token) })
  await expect(anybody().setup({ body: body(token) })).rejects.toMatchObject({
    status: 409,
    code: 'core.setup_done',
  })
})

test('twice at once makes one', async () => {
  const token = await freshToken()
  const tries = Array.from({ length: 6 }, () => anybody().setup({ body: body(token) }))
  const results = await Promise.allSettled(tries)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { rows } = await server.database.pool.query('select name from core.organization')
  expect(rows).toEqual([{ name: 'nordwerk' }])
  const accounts = await server.database.pool.query('select username from identity.account')
  expect(accounts.rows).toEqual([{ username: 'eva' }])
})

test('after a refused password the same token works again', async () => {
  const token = await freshToken()
  const weak = { ...body(token), user: { ...owner, password: 'short' } }
  await expect(anybody().setup({ body: weak })).rejects.toMatchObject({
    status: 422,
    code: 'core.password_refused',
    details: { field: 'password' },
  })
  expect(await anybody().setupNeeded({})).toEqual({ needed: true })
  await anybody().setup({ body: body(token) })
})

test('an attempt that was killed after identity is taken up again', async () => {
  const token = await freshToken()
  const { pool } = server.database
  await pool.query(`insert into identity.realm values ('nordwerk')`)
  await pool.query(`insert into identity.account
    (realm, username, email, first_name, last_name) values ('nordwerk', 'eva', '', '', '')`)
  await pool.query('update core.setup_token set claimed_at = $1', [clock])
  await pool.query(`insert into core.account_claim values ('nordwerk', 'eva', $1, true)`, [clock])
  await expect(anybody().setup({ body: body(token) })).rejects.toMatchObject({ code: 'core.busy' })
  clock = new Date(clock.getTime() + 61_000)
  const { user } = await anybody().setup({ body: body(token) })
  const { rows } = await pool.query('select sub, password from identity.account')
  expect(rows).toEqual([{ sub: user.sub, password: testPassword }])
})

test('bad fields are named', async () => {
  const token = await freshToken()
  const bad = {
    ...body(token),
    organization: { name: 'Nord Werk' },
    user: { ...owner, email: 'x' },
  }
  await expect(anybody().setup({ body: bad })).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'organization.name' }, { field: 'user.email' }] },
  })
})

test('only the fingerprint of the token is stored', async () => {
  const token = await freshToken()
  const { rows } = await server.database.pool.query('select * from core.setup_token')
  expect(JSON.stringify(rows)).not.toContain(normalizeToken(token).slice(0, 8))
})

test('a token is easy to type and its 32 letters are equally likely', () => {
  const all = formatToken(Uint8Array.from({ length: 24 }, (_, index) => index * 7))
  expect(all).toMatch(/^([A-HJ-NP-Z2-9]{4}-){5}[A-HJ-NP-Z2-9]{4}$/)
  const letters = new Set(
    Array.from({ length: 256 }, (_, byte) => formatToken(Uint8Array.of(byte))),
  )
  expect(letters.size).toBe(32)
})

test('an installation keeps its identity [C-01]', async () => {
  const one = await anybody().instance({})
  expect(one).toEqual(await anybody().instance({}))
  expect(one.id).toMatch(/^[0-9a-f-]{36}$/)
})
