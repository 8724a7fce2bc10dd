import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContract } from '../contract.ts'
import {
  goodPassword,
  identityTest,
  type IdentityTest,
  refresh,
  signInTo,
  pkce,
  testBrowser,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
const minute = 60_000

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
  await server.person('solaris', 'sole')
})
afterAll(() => server.close())

const create = (username: string, more = {}) =>
  server.calls.createAccount({
    body: { realm: 'nordwerk', username, password: goodPassword, ...more },
  })
const canSignIn = async (username: string, password: string) => {
  const changes = { code_challenge: pkce().challenge }
  const login = { realm: 'nordwerk', username, password, changes }
  return (await signInTo(server, testBrowser(), login)).status === 303
}
const alive = async (token: string) =>
  (
    await fetch(server.at('nordwerk', 'userinfo'), {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status === 200

test('a realm is made once, with one key, sealed', async () => {
  await Promise.all(
    Array.from({ length: 4 }, () => server.calls.createRealm({ body: { name: 'fresh' } })),
  )
  const { rows } = await server.database.pool.query<{ sealed: Buffer }>(
    `select sealed from identity.realm_key where realm = 'fresh'`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.sealed.toString('latin1')).not.toMatch(/RSA|"d"|"kty"/)
})

test('a name is taken once in a realm, whatever its case', async () => {
  const made = await create('Dora@nordwerk')
  expect(made).toMatchObject({ username: 'dora', realm: 'nordwerk', enabled: true })
  await expect(create('DORA')).rejects.toThrow('username_taken')
  const both = await Promise.allSettled([create('twin'), create('Twin')])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(create('dora', { realm: 'nowhere' })).rejects.toThrow('no_such_realm')
  expect(await create('dora', { realm: 'solaris' })).toMatchObject({ realm: 'solaris' })
  expect(
    await server.calls.findAccount({ query: { realm: 'nordwerk', username: 'DORA' } }),
  ).toEqual([made])
  expect(await server.calls.findAccount({ query: { realm: 'fresh', username: 'dora' } })).toEqual(
    [],
  )
})

test('passwords are kept as argon2id hashes and nowhere in clear', async () => {
  const { sub } = await create('edda')
  const { rows } = await server.database.pool.query<{ password_hash: string }>(
    'select * from identity.account where sub = $1',
    [sub],
  )
  expect(rows[0]!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(JSON.stringify(rows)).not.toContain(goodPassword)
})

test.each(['short', 'passwordpassword', '123456789012', 'aaaaaaaaaaaaaaaa', 'x'.repeat(513)])(
  'the password %s is refused',
  async (password) => {
    await expect(create('weak', { password })).rejects.toThrow(/password_refused|invalid/)
  },
)

test('a new password or a closed account ends every session', async () => {
  const { sub } = await create('fritz')
  const first = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'fritz' })
  await server.calls.updateAccount({ params: { sub }, body: { password: 'other-violet-anvil-9' } })
  expect(await alive(first.access_token)).toBe(false)
  expect((await refresh(server, 'nordwerk', { refresh_token: first.refresh_token })).status).toBe(
    400,
  )
  expect(await canSignIn('fritz', goodPassword)).toBe(false)
  expect(await canSignIn('fritz', 'other-violet-anvil-9')).toBe(true)
  await server.calls.updateAccount({ params: { sub }, body: { enabled: false } })
  expect(await canSignIn('fritz', 'other-violet-anvil-9')).toBe(false)
  await server.calls.deleteAccount({ params: { sub } })
  await expect(server.calls.account({ params: { sub } })).rejects.toThrow('no_such_account')
})

test('an account changes only in what is named', async () => {
  const { sub } = await create('gisa', { email: 'g@x.example' })
  const changed = await server.calls.updateAccount({ params: { sub }, body: { firstName: 'Gisa' } })
  expect(changed).toMatchObject({ email: 'g@x.example', firstName: 'Gisa', enabled: true })
  const details = { ...changed, sessions: [], credentials: [], lockedUntil: null }
  expect(await server.calls.account({ params: { sub } })).toEqual(details)
  await expect(server.calls.account({ params: { sub: "x' or 1=1" } })).rejects.toThrow(
    'no_such_account',
  )
})

test('nobody but services of the house reaches the accounts', async () => {
  const { access_token } = await tokensFor(server, testBrowser(), {
    realm: 'nordwerk',
    username: 'anna',
  })
  for (const authorization of ['', `Bearer ${access_token}`]) {
    const answer = await fetch(
      `${server.origin}/auth/internal/accounts?realm=nordwerk&username=anna`,
      {
        headers: { authorization },
      },
    )
    expect(answer.status).toBe(401)
  }
  const anna = { kind: 'user', sub: 'a', username: 'anna', realm: 'nordwerk' } as const
  await expect(
    server
      .as(anna, identityContract)
      .findAccount({ query: { realm: 'nordwerk', username: 'anna' } }),
  ).rejects.toThrow('missing_permission')
})

test('a one-time link sets a password once; looking at it uses nothing up', async () => {
  const { sub } = await create('hanno')
  const tokens = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username: 'hanno' })
  const { url = '' } = await server.calls.oneTimeLink({ params: { sub }, body: {} })
  const { rows } = await server.database.pool.query('select * from identity.one_time_link')
  expect(JSON.stringify(rows)).not.toContain(url.split('/').at(-1))
  const browser = testBrowser()
  for (let n = 0; n < 3; n++) expect((await browser.go(url)).status).toBe(200)
  const password = 'quiet-harbor-maple-3'
  expect((await browser.post(url, { password: 'short', repeat: 'short' })).status).toBe(422)
  expect((await browser.post(url, { password, repeat: `${password}x` })).status).toBe(422)
  const both = await Promise.all(
    [1, 2].map(() => browser.post(url, { password, repeat: password })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410])
  expect((await browser.go(url)).status).toBe(410)
  expect(await alive(tokens.access_token)).toBe(false)
  expect(await canSignIn('hanno', password)).toBe(true)
})

test('a link ends after 15 minutes, with a newer one, and in another realm', async () => {
  const { sub } = await create('inga', { password: undefined })
  expect(await canSignIn('inga', '')).toBe(false)
  const link = async () => (await server.calls.oneTimeLink({ params: { sub }, body: {} })).url ?? ''
  const first = await link()
  const second = await link()
  expect((await testBrowser().go(first)).status).toBe(410)
  expect((await testBrowser().go(second.replace('nordwerk', 'solaris'))).status).toBe(410)
  expect((await testBrowser().go(second)).status).toBe(200)
  server.clock.aheadMs += 15 * minute
  expect((await testBrowser().go(second)).status).toBe(410)
  const fields = { password: goodPassword, repeat: goodPassword }
  expect((await testBrowser().post(second, fields)).status).toBe(410)
})
