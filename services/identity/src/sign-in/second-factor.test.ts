import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorTest, type FactorTest } from '../factors/factor-testing.ts'
import { claimsOf, fragmentOf, goodPassword, testBrowser } from '../testing.ts'

let it: FactorTest

beforeAll(async () => {
  it = await factorTest()
})
afterAll(() => it.server.close())

test('a required CONFIGURE_TOTP is done at sign-in, before anything is given out [T-11] [R-04]', async () => {
  const anna = await it.person('anna')
  await it.server.calls.updateAccount({
    params: { sub: anna.sub },
    body: { requiredActions: ['CONFIGURE_TOTP'] },
  })
  const walk = await it.begin('anna')
  expect(await walk.title()).toBe('Set up an authenticator app')
  const html = await walk.html()
  expect(html).toContain('autocomplete="one-time-code"')
  expect(html).toContain('<svg class="qr"')
  expect(html).not.toContain('value="cancel"')
  const wrong = await walk.send({ step: 'new-totp', code: '000000' })
  expect(wrong.text).toContain('role="alert"')
  const secret = walk.secret(html)
  const shown = await walk.send({ step: 'new-totp', code: it.code(secret), label: 'Phone' })
  const codes = [...shown.text.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code]) => code)
  expect(codes).toHaveLength(10)
  const back = await walk.finish({ step: 'continue' })
  expect(claimsOf(back.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
  expect((await it.server.calls.account({ params: { sub: anna.sub } })).requiredActions).toEqual([])
})

test('whoever has a second factor is asked for it at each sign-in [T-11] [R-04]', async () => {
  const { secret } = await it.withApp('bert')
  const walk = await it.begin('bert')
  expect(await walk.title()).toBe('Two-factor authentication')
  expect((await walk.send({ step: 'totp', code: '123' })).text).toContain('Incorrect code')
  const tokens = await walk.finish({ step: 'totp', code: it.code(secret) })
  expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
  expect(claimsOf(tokens.id_token)).toMatchObject({ acr: '2' })
})

test('without a second factor the token says so', async () => {
  await it.person('carl')
  const tokens = await it.signIn('carl')
  expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '1', amr: ['pwd'] })
})

test('a code works once, and neither do those before it (attack 71)', async () => {
  const { secret } = await it.withApp('dora')
  const code = it.code(secret)
  const before = it.code(secret, -30_000)
  await (await it.begin('dora')).finish({ step: 'totp', code })
  const again = await it.begin('dora')
  for (const used of [code, before]) {
    const { text, status } = await again.send({ step: 'totp', code: used })
    expect([status, text.includes('Incorrect code')]).toEqual([200, true])
  }
  it.server.clock.aheadMs += 30_000
  await again.finish({ step: 'totp', code: it.code(secret) })
})

test('the same code at the same moment in two browsers lets one in (attack 71)', async () => {
  const { secret } = await it.withApp('dirk')
  const walks = [await it.begin('dirk'), await it.begin('dirk')]
  const code = it.code(secret)
  const answers = await Promise.all(walks.map((walk) => walk.send({ step: 'totp', code })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303])
})

test('codes of the step before and after are taken, older ones are not', async () => {
  const { secret } = await it.withApp('egon')
  it.server.clock.aheadMs += 120_000
  const walk = await it.begin('egon')
  for (const awayMs of [-60_000, 60_000]) {
    const { status } = await walk.send({ step: 'totp', code: it.code(secret, awayMs) })
    expect(status).toBe(200)
  }
  await walk.finish({ step: 'totp', code: it.code(secret, -30_000) })
  await (await it.begin('egon')).finish({ step: 'totp', code: it.code(secret, 30_000) })
})

test('guesses of a code are locked after five, in every sign-in of the person (attack 72)', async () => {
  const { secret } = await it.withApp('fred')
  const walk = await it.begin('fred')
  for (let n = 0; n < 5; n++) {
    expect((await walk.send({ step: 'totp', code: `00000${n}` })).status).toBe(200)
  }
  const locked = await walk.send({ step: 'totp', code: it.code(secret) })
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '60'])
  const other = await it.begin('fred')
  expect((await other.send({ step: 'totp', code: it.code(secret) })).status).toBe(429)
  expect((await other.send({ step: 'recovery', code: 'aaaa-bbbb-cccc' })).status).toBe(429)
  it.server.clock.aheadMs += 60_000
  await other.finish({ step: 'totp', code: it.code(secret) })
})

test('twelve guesses at the same moment get five looks (attack 72)', async () => {
  await it.withApp('fips')
  const walks: Awaited<ReturnType<typeof it.begin>>[] = []
  for (let n = 0; n < 12; n++) walks.push(await it.begin('fips'))
  const answers = await Promise.all(walks.map((walk) => walk.send({ step: 'totp', code: '1' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
})

test('no address passes the second factor by (attack 73)', async () => {
  await it.withApp('gina')
  for (const way of [0, 1, 2]) {
    const { browser, waysBack } = await it.begin('gina')
    const answer = await browser.go((await waysBack())[way] ?? '')
    expect(fragmentOf(answer.headers.get('location') ?? '').has('code')).toBe(false)
    expect(await it.isSignedIn(browser)).toBe(false)
  }
  const walk = await it.begin('gina')
  for (const step of ['continue', 'cancel', 'new-totp', 'new-passkey', 'new-password']) {
    const { headers } = await walk.send({ step, code: '1', password: 'a', repeat: 'a' })
    expect(headers.get('location') ?? '').not.toContain('/protocol/')
    expect(await walk.title()).toBe('Two-factor authentication')
  }
  expect(await it.isSignedIn(walk.browser)).toBe(false)
})

test('a step of another person is none of this sign-in (attack 73)', async () => {
  const { secret } = await it.withApp('hans')
  await it.withApp('ines')
  const walk = await it.begin('ines')
  expect((await walk.send({ step: 'totp', code: it.code(secret) })).status).toBe(200)
  const stranger = await testBrowser().post(walk.page, { step: 'totp', code: it.code(secret) })
  expect(stranger.status).toBe(400)
})

test('signing in as somebody else begins again', async () => {
  await it.withApp('jana')
  await it.person('karl')
  const walk = await it.begin('jana')
  await walk.send({ step: 'restart' })
  expect(await walk.title()).toBe('Sign in to nordwerk')
  const tokens = await walk.finish({ username: 'karl', password: goodPassword })
  expect(claimsOf(tokens.access_token)).toMatchObject({ preferred_username: 'karl@nordwerk' })
})

test('a recovery code lets in once, however it is typed [R-04]', async () => {
  const { codes } = await it.withApp('lena')
  const [first = '', second = ''] = codes
  const walk = await it.begin('lena')
  expect(await (await walk.browser.go(`${walk.page}?use=recovery`)).text()).toContain(
    'autocomplete="off"',
  )
  await walk.finish({ step: 'recovery', code: first })
  const again = await it.begin('lena')
  expect((await again.send({ step: 'recovery', code: first })).text).toContain('recovery code')
  await again.finish({ step: 'recovery', code: ` ${second.replaceAll('-', '').toUpperCase()} ` })
  const { rows } = await it.server.database.pool.query(
    `select fingerprint from identity.recovery_code c join identity.account a using (sub)
     where a.username = 'lena'`,
  )
  expect(rows).toHaveLength(8)
  expect(JSON.stringify(rows)).not.toContain(codes[2])
})

test('secrets of authenticator programs are sealed in the database', async () => {
  const { secret } = await it.withApp('mara')
  const { rows } = await it.server.database.pool.query<{ sealed: Buffer }>(
    'select sealed from identity.authenticator_app',
  )
  expect(rows.some(({ sealed }) => sealed.includes(secret))).toBe(false)
})
