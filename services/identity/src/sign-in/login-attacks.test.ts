import { createSecrets } from '@longreach/kit/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorTest, type FactorTest } from '../factors/factor-testing.ts'
import { accountLimit, addressLimit } from './lockout-rules.ts'
import { countAttempt, resetAttempts } from './lockout-store.ts'
import { signIn } from './sign-in.ts'
import { goodPassword, testBrowser } from '../testing.ts'

let it: FactorTest
const minute = 60_000

beforeAll(async () => {
  it = await factorTest()
  for (const name of ['anna', 'bert', 'carl', 'dora', 'egon', 'frida', 'hedi', 'inga', 'jana'])
    await it.person(name)
})
afterAll(() => it.server.close())

/** The check of passwords itself, for callers from any address. */
const attempt = (username: string, ip: string, password = 'Herbst2026!') => {
  const { db } = it.server.database
  return signIn(
    {
      db: db.withSchema('identity'),
      secrets: createSecrets(Buffer.alloc(32, 7)),
      now: () => new Date(Date.now() + it.server.clock.aheadMs),
    },
    { realm: it.realm, username, password, ip },
  )
}

/** Text of a page without the parts that differ from request to request. */
const plain = (html: string) =>
  html
    .replaceAll(/authenticate\/[\w-]+/g, 'authenticate/x')
    .replaceAll(/challenge&quot;:&quot;[\w-]+/g, '')
    .replaceAll(/value="(?:anna|nobody)"/g, '')

test('a wrong password and an unknown name get the very same page, headers and cookies (attack 66)', async () => {
  const answers = await Promise.all(
    ['anna', 'nobody'].map(async (username) => {
      const walk = await it.open(testBrowser())
      const { status, headers, text } = await walk.send({ username, password: 'not it' })
      const names = [...headers.keys()].filter((name) => name !== 'content-length')
      return { status, names, text: plain(text), cookies: headers.getSetCookie() }
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  // Who has a second factor shows only after the right password.
  await it.withApp('gina')
  const walk = await it.open(testBrowser())
  const { text } = await walk.send({ username: 'gina', password: 'not it' })
  expect(text).toContain('Incorrect user name or password')
})

test('strangers lock nobody out of a browser where they signed in before', async () => {
  const browser = testBrowser()
  const password = goodPassword
  const first = await (await it.open(browser)).send({ username: 'hedi', password })
  expect(first.status).toBe(303)
  for (let n = 0; n < accountLimit.free + 1; n++) {
    await (await it.open(testBrowser())).send({ username: 'hedi', password: `guess ${n}` })
  }
  const stranger = await (await it.open(testBrowser())).send({ username: 'hedi', password })
  expect(stranger.status).toBe(429)
  expect(stranger.text).toContain('Too many')
  // The session ended long ago; the browser is known all the same, and by its own name only.
  const again = await (await it.open(browser)).send({ username: `hedi@${it.realm}`, password })
  expect(again.status).toBe(303)
  const { sub } = (
    await it.server.calls.findAccount({
      query: { realm: it.realm, username: 'hedi' },
    })
  )[0]!
  const lock = () => it.server.calls.account({ params: { sub } })
  expect((await lock()).lockedUntil).toBeInstanceOf(Date)
  const body = { liftLockout: true as const }
  await it.server.calls.updateAccount({ params: { sub }, body })
  expect(await lock()).toMatchObject({ lockedUntil: null })
  const freed = await (await it.open(testBrowser())).send({ username: 'hedi', password })
  expect(freed.status).toBe(303)
})

test('a known browser has a few guesses too, and the cookie is for its account alone', async () => {
  const browser = testBrowser()
  const wrong = async (username: string, n: number) =>
    (await it.open(browser)).send({ username, password: `guess ${n}` })
  await (await it.open(browser)).send({ username: 'inga', password: goodPassword })
  for (let n = 0; n < accountLimit.free; n++) await wrong('inga', n)
  const out = await (await it.open(browser)).send({ username: 'inga', password: goodPassword })
  expect([out.status, out.text.includes('Too many')]).toEqual([429, true])
  // Elsewhere the right password still works: these guesses were this browser's own.
  const home = await (
    await it.open(testBrowser())
  ).send({ username: 'inga', password: goodPassword })
  expect(home.status).toBe(303)
  for (let n = 0; n < accountLimit.free; n++) await wrong('jana', n)
  const other = await (
    await it.open(testBrowser())
  ).send({ username: 'jana', password: goodPassword })
  expect(other.status).toBe(429)
})

test('one password tried on many names from one address stops that address (attack 69)', async () => {
  const from = '203.0.113.9'
  let looks = 0
  for (let n = 0; n < addressLimit.free + 20; n++) {
    if ((await attempt(`person-${n}`, from)).kind === 'wrong') looks += 1
  }
  expect(looks).toBe(addressLimit.free)
  expect(await attempt('anna', from, goodPassword)).toMatchObject({ kind: 'locked' })
  expect(await attempt('anna', '203.0.113.10', goodPassword)).toMatchObject({ kind: 'accepted' })
  it.server.clock.aheadMs += minute
  expect(await attempt('anna', from, goodPassword)).toMatchObject({ kind: 'accepted' })
})

test('addresses of one IPv6 /64 are one address, and its IPv4 neighbour is none of it (attack 70)', async () => {
  for (let n = 0; n < addressLimit.free; n++) {
    await attempt(`other-${n}`, `2001:db8:7:7:${n.toString(16)}::${n.toString(16)}`)
  }
  const right = (ip: string) => attempt('bert', ip, goodPassword)
  expect(await right('2001:0DB8:7:7:ffff::1')).toMatchObject({ kind: 'locked' })
  expect(await right('2001:db8:7:8::1')).toMatchObject({ kind: 'accepted' })
  expect(await right('::ffff:198.51.100.7')).toMatchObject({ kind: 'accepted' })
})

test('a name stays locked from whatever address it is tried (attack 70)', async () => {
  for (let n = 0; n < accountLimit.free; n++) await attempt('carl', `198.51.100.${n}`)
  expect(await attempt('carl', '192.0.2.200', goodPassword)).toMatchObject({ kind: 'locked' })
})

test.each([
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'client-ip',
  'x-client-ip',
  'true-client-ip',
])('nobody hides behind a forged %s (attack 70)', async (header) => {
  const victim = `victim-${header}`
  const tries = async (n: number) => {
    const walk = await it.open(testBrowser())
    const value = header === 'forwarded' ? `for=10.0.0.${n}` : `10.0.0.${n}`
    const answer = await walk.browser.post(
      walk.page,
      { username: victim, password: 'wrong' },
      { [header]: value },
    )
    return answer.status
  }
  const before = await addressesSeen()
  for (let n = 0; n < accountLimit.free; n++) expect(await tries(n)).toBe(200)
  expect(await tries(99)).toBe(429)
  expect(await addressesSeen()).toEqual([...new Set([...before, await ownAddress()])].toSorted())
})

async function addressesSeen() {
  const { rows } = await it.server.database.pool.query<{ key: string }>(
    `select key from identity.sign_in_failure where key like 'address:%' order by key`,
  )
  return rows.map(({ key }) => key).toSorted()
}

/** The key of the address that this test really comes from. */
async function ownAddress() {
  const seen = await addressesSeen()
  return seen.find((key) => /^address:(127\.0\.0\.1|0:0:0:0)$/.test(key)) ?? 'none'
}

test('sign-ins, refusals and sign-outs are in the audit trail, without what was typed', async () => {
  const { id_token: id_token_hint } = await it.signIn('dora')
  for (const _ of [1, 2])
    await testBrowser().post(it.server.at(it.realm, 'logout'), { id_token_hint })
  const walk = await it.open(testBrowser())
  await walk.send({ username: 'dora', password: 'my-secret-typo' })
  const other = await it.open(testBrowser())
  await other.send({ username: 'my-password-in-the-wrong-field', password: 'x' })
  const { rows } = await it.server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded' order by id`,
  )
  const all = rows.map(({ payload }) => payload)
  const dora = await it.server.calls.findAccount({ query: { realm: it.realm, username: 'dora' } })
  expect(all).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'signIn', outcome: 'done', id: dora[0]?.sub }),
      expect.objectContaining({
        action: 'signIn',
        outcome: 'refused',
        id: dora[0]?.sub,
        code: 'identity.sign_in_refused',
      }),
    ]),
  )
  expect(all.filter(({ action }) => action === 'signOut')).toHaveLength(1)
  const text = JSON.stringify(all)
  for (const secret of ['my-secret-typo', 'my-password-in-the-wrong-field', goodPassword]) {
    expect(text).not.toContain(secret)
  }
})

test('an attempt that is counted while another one is forgiven is counted', async () => {
  const db = it.server.database.db.withSchema('identity')
  const keys = [
    { key: 'account:gone', limit: { ...accountLimit, free: 1_000 } },
    { key: 'address:192.0.2.40', limit: { ...addressLimit, free: 1_000 } },
  ]
  const forgiven = { account: 'account:gone', address: 'address:192.0.2.40' }
  const inAndOut = async () => {
    const locked = await countAttempt(db, keys, new Date())
    if (!locked) await resetAttempts(db, forgiven)
  }
  const rounds = Array.from({ length: 100 }, inAndOut)
  expect((await Promise.allSettled(rounds)).filter(({ status }) => status === 'rejected')).toEqual(
    [],
  )
})
