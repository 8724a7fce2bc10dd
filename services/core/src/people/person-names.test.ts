import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let now = new Date('2026-03-01T08:00:00Z')
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => now })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
/** The forms in which clients name vera of the realm nordwerk. */
const names = ['vera', 'VERA', 'vera@nordwerk', 'Vera@Nordwerk']

test.each(names)('%s is the same person on every call that takes a user name', async (name) => {
  const { sub } = seeded.people.viewer
  expect(await as('viewer').userExists({ params: { name } })).toBe(true)
  const found = await as('owner').userByName({ params: { ...params, username: name } })
  expect(found).toMatchObject({ sub, username: 'vera' })
  const query = { username: name }
  expect((await as('owner').users({ params, query })).content).toMatchObject([{ sub }])
  expect((await as('owner').deepUsers({ query: { ...query, ...orgQuery } })).content).toMatchObject(
    [{ sub }],
  )
  const own = { ...query, type: 'SELF_USER_ANY' as const }
  expect((await as('owner').userGroups({ params, query: own })).content).toMatchObject([
    { name: 'vera' },
  ])
  const at = { user: name, service: 'portal', property: 'locale' }
  await as('viewer').setProperty({ params: at, body: name })
  expect(await as('viewer').property({ params: { ...at, user: 'mine' } })).toBe(name)
  const preference = { serviceName: 'portal', username: name, value: name }
  const kept = await as('viewer').setUserPreference({ params, body: preference })
  expect(kept).toMatchObject({ username: 'vera', value: name })
  const key = await as('owner').createApiKey({ params, body: { username: name } })
  expect(key.username).toBe('vera')
  expect((await as('owner').apiKeys({ params, query })).content).toMatchObject([{ id: key.id }])
  expect(await as('viewer').apiKeyPermissions({ params, query })).toContain('devices:read')
  await as('owner').deleteApiKey({ params: { ...params, apiKey: String(key.id) } })
  await expect(
    as('owner').createUser({ params, body: { username: name, password: 'a long phrase 42' } }),
  ).rejects.toMatchObject({ code: 'core.username_taken' })
  await expect(as('owner').inviteUser({ params, body: { username: name } })).rejects.toMatchObject({
    code: 'core.username_taken',
  })
  const plan = await as('owner').importUsers({
    params,
    query: { dryRun: true },
    body: { csv: `username\n${name}\n` },
  })
  expect(plan.lines).toMatchObject([{ outcome: 'PRESENT' }])
})
const orgQuery = { organization: params.org }

test('the realm of another organization names nobody here', async () => {
  const elsewhere = { ...params, username: 'vera@acqua' }
  await expect(as('owner').userByName({ params: elsewhere })).rejects.toMatchObject({ status: 404 })
  expect(await as('viewer').userExists({ params: { name: 'vera@acqua' } })).toBe(false)
})

test('a person made with the realm in their name is the plain person', async () => {
  const body = { username: 'Willi@nordwerk', password: 'a long phrase 42' }
  const made = await as('owner').createUser({ params, body })
  expect(made.username).toBe('willi')
  const csv = 'username\nwanda@nordwerk\nwanda\n'
  const plan = await as('owner').importUsers({ params, query: { dryRun: true }, body: { csv } })
  expect(plan.lines.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    [],
    ['twice'],
  ])
})

test('an account that somebody else made in identity is not taken over', async () => {
  await server.database.pool.query(
    `insert into identity.account (realm, username, email, first_name, last_name, password)
     values ('nordwerk', 'adminrest', '', '', '', 'theirs')`,
  )
  const body = { username: 'adminrest', password: 'a long phrase 42' }
  await expect(as('administrator').createUser({ params, body })).rejects.toMatchObject({
    code: 'core.username_taken',
  })
  const { rows } = await server.database.pool.query(
    "select password from identity.account where username = 'adminrest'",
  )
  expect(rows).toEqual([{ password: 'theirs' }])
})

test('what a broken attempt left in identity is finished by the next one', async () => {
  const { pool } = server.database
  await pool.query(`create function core.no_insert() returns trigger language plpgsql
    as $$ begin raise exception 'disk full'; end $$`)
  await pool.query(`create trigger no_insert before insert on core.app_user
    for each row when (new.username = 'halfmade') execute function core.no_insert()`)
  const body = { username: 'halfmade', password: 'a long phrase 42' }
  await expect(as('administrator').createUser({ params, body })).rejects.toMatchObject({
    status: 500,
  })
  await pool.query('drop trigger no_insert on core.app_user')
  const again = { ...body, password: 'another phrase 43' }
  expect(await as('administrator').createUser({ params, body: again })).toMatchObject({
    username: 'halfmade',
  })
  const { rows } = await pool.query(
    "select password from identity.account where username = 'halfmade'",
  )
  expect(rows).toEqual([{ password: 'another phrase 43' }])
  expect((await pool.query('select 1 from core.account_claim')).rows).toEqual([])
})

test('a line of an import waits for the account that a dead process was making', async () => {
  const { pool } = server.database
  await pool.query(
    "insert into core.account_claim (realm, username, claimed_at) values ('nordwerk', 'late', $1)",
    [now],
  )
  const running = await server.start()
  try {
    const csv = 'username\nlate\n'
    const { importId } = await as('owner').importUsers({ params, query: {}, body: { csv } })
    const at = { params: { ...params, import: importId! } }
    // The rounds of the job go on with the clock.
    await expect
      .poll(
        async () => {
          now = new Date(now.getTime() + 10_000)
          return as('owner').userImport(at)
        },
        { timeout: 60_000 },
      )
      .toMatchObject({ done: 1, failed: 0 })
  } finally {
    await running.close()
  }
  expect((await as('owner').users({ params, query: { username: 'late' } })).totalElements).toBe(1)
})

test('a subject of another realm is not the caller of this one', async () => {
  const twin = { ...seeded.people.administrator, realm: 'acqua' }
  const asTwin = server.as(twin, coreContract)
  await expect(asTwin.me({})).rejects.toMatchObject({ status: 404 })
  expect(await asTwin.mine({})).toEqual([])
  expect(await asTwin.myInvitations({})).toEqual([])
  await expect(asTwin.users({ params, query: {} })).rejects.toMatchObject({ status: 404 })
  await expect(as('administrator').users({ params, query: {} })).resolves.toMatchObject({
    last: true,
  })
})
