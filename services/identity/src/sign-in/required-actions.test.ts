import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorTest, type FactorTest } from '../factors/factor-testing.ts'
import {
  authorizeUrl,
  claimsOf,
  fragmentOf,
  goodPassword,
  locationOf,
  pkce,
  refresh,
  testBrowser,
} from '../testing.ts'

let it: FactorTest
const betterPassword = 'harbour-lamp-kettle'

beforeAll(async () => {
  it = await factorTest()
})
afterAll(() => it.server.close())

const ageSession = (session: string | null, seconds: number) =>
  it.server.database.pool.query(
    `update identity.oidc_record
     set payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - $2::int))
     where model = 'Session' and uid = $1`,
    [session, seconds],
  )
const askAgain = async (browser: ReturnType<typeof testBrowser>, changes: Record<string, string>) =>
  fragmentOf(
    locationOf(
      await browser.go(
        authorizeUrl(it.server, it.realm, { code_challenge: pkce().challenge, ...changes }),
      ),
    ),
  )

test('a temporary password is replaced before anything is given out [T-11] [R-04]', async () => {
  const { sub } = await it.person('anna')
  await it.server.calls.updateAccount({ params: { sub }, body: { temporaryPassword: true } })
  const walk = await it.begin('anna')
  expect(await walk.title()).toBe('Choose a new password')
  const html = await walk.html()
  expect(html.match(/autocomplete="new-password"/g)).toHaveLength(2)
  expect(html).not.toContain('value="cancel"')
  const faults = [
    [goodPassword, goodPassword, 'This is your current password'],
    [betterPassword, 'another', 'The passwords do not match'],
    ['short', 'short', 'at least 8 characters'],
    ['password1', 'password1', 'too common'],
  ]
  for (const [password = '', repeat = '', says = ''] of faults) {
    const { status, text } = await walk.send({ step: 'new-password', password, repeat })
    expect([status, text.includes(says)]).toEqual([422, true])
  }
  expect((await walk.send({ step: 'cancel' })).location).not.toContain('/protocol/')
  expect(await it.isSignedIn(walk.browser)).toBe(false)
  const fields = { step: 'new-password', password: betterPassword, repeat: betterPassword }
  await walk.finish(fields)
  expect((await it.server.calls.account({ params: { sub } })).requiredActions).toEqual([])
  const again = await it.open(testBrowser())
  expect((await again.send({ username: 'anna', password: goodPassword })).status).toBe(200)
  await again.finish({ username: 'anna', password: betterPassword })
})

test('two required actions come one after the other, the second factor before them [T-11]', async () => {
  const { sub, secret } = await it.withApp('bert')
  await it.server.calls.updateAccount({
    params: { sub },
    body: { requiredActions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] },
  })
  const walk = await it.begin('bert')
  expect(await walk.title()).toBe('Two-factor authentication')
  await walk.send({ step: 'totp', code: it.code(secret) })
  expect(await walk.title()).toBe('Choose a new password')
  const fields = { password: betterPassword, repeat: betterPassword }
  await walk.send({ step: 'new-password', ...fields })
  expect(await walk.title()).toBe('Set up an authenticator app')
  const second = walk.secret(await walk.html())
  await walk.finish({ step: 'new-totp', code: it.code(second) })
  expect((await it.server.calls.account({ params: { sub } })).credentials).toHaveLength(3)
})

test('kc_action of the portal ends with its status, done or given up [T-11]', async () => {
  await it.person('carl')
  const browser = testBrowser()
  await it.signIn('carl', {}, browser)
  const change = await it.open(browser, { kc_action: 'UPDATE_PASSWORD' })
  expect(await change.title()).toBe('Choose a new password')
  const cancelled = await change.leave({ step: 'cancel' })
  expect(Object.fromEntries(cancelled)).toMatchObject({
    kc_action: 'UPDATE_PASSWORD',
    kc_action_status: 'cancelled',
    code: expect.any(String),
  })
  const again = await it.open(browser, { kc_action: 'UPDATE_PASSWORD' })
  const fields = { password: betterPassword, repeat: betterPassword }
  const done = await again.leave({ step: 'new-password', ...fields })
  expect(done.get('kc_action_status')).toBe('success')
  const app = await it.open(browser, { kc_action: 'CONFIGURE_TOTP' })
  const secret = app.secret(await app.html())
  await app.send({ step: 'new-totp', code: it.code(secret) })
  const tokens = await app.finish({ step: 'continue' })
  expect(tokens.fragment.get('kc_action_status')).toBe('success')
  expect(claimsOf(tokens.access_token)).toMatchObject({ acr: '2' })
  expect((await askAgain(browser, { prompt: 'none' })).has('kc_action_status')).toBe(false)
})

test('kc_action needs a sign-in of the last five minutes, and is never silent (attack 39) [T-11]', async () => {
  await it.person('dora')
  const browser = testBrowser()
  const { fragment } = await it.signIn('dora', {}, browser)
  const silent = await askAgain(browser, { prompt: 'none', kc_action: 'UPDATE_PASSWORD' })
  expect(silent.get('error')).toBe('interaction_required')
  await ageSession(fragment.get('session_state'), 310)
  const walk = await it.open(browser, { kc_action: 'UPDATE_PASSWORD' })
  expect(await walk.title()).toBe('Sign in to nordwerk')
  await walk.send({ username: 'dora', password: goodPassword })
  expect(await walk.title()).toBe('Choose a new password')
})

test.each(['DELETE_ACCOUNT', 'configure_totp', 'UPDATE_PASSWORD,CONFIGURE_TOTP'])(
  'the unknown action "%s" is refused by name (attack 39)',
  async (kc_action) => {
    const answer = await askAgain(testBrowser(), { kc_action })
    expect(answer.get('error')).toBe('invalid_request')
    expect(answer.get('error_description')).toContain('CONFIGURE_TOTP or UPDATE_PASSWORD')
  },
)

test('a new password ends every other session and no other person’s', async () => {
  await it.person('egon')
  await it.person('frida')
  const other = await it.signIn('egon')
  const frida = await it.signIn('frida')
  const browser = testBrowser()
  const own = await it.signIn('egon', {}, browser)
  const walk = await it.open(browser, { kc_action: 'UPDATE_PASSWORD' })
  await walk.leave({ step: 'new-password', password: betterPassword, repeat: betterPassword })
  const renewed = async ({ refresh_token }: { refresh_token: string }) =>
    (await refresh(it.server, it.realm, { refresh_token })).status
  expect([await renewed(own), await renewed(other), await renewed(frida)]).toEqual([200, 400, 200])
})

test('an administrator who acts as somebody sets nothing up in their name (attack 74)', async () => {
  const scopes = ['iam.devices.read']
  const strict = { id: 1, resourceId: 'strict', name: 'S', scopes, secondFactorRequired: true }
  const { sub } = await it.person('fips', [strict])
  const by = { sub: 'd0000000-0000-4000-8000-000000000001', username: 'boss@nordwerk' }
  const { url } = await it.server.calls.impersonate({ params: { sub }, body: { by } })
  const browser = testBrowser()
  await browser.post(url, {})
  expect(await it.isSignedIn(browser)).toBe(true)
  for (const kc_action of ['UPDATE_PASSWORD', 'CONFIGURE_TOTP']) {
    expect((await askAgain(browser, { kc_action })).get('error')).toBe('access_denied')
  }
  const stepUps: Record<string, string>[] = [{ scope: 'openid org:strict' }, { acr_values: '2' }]
  for (const asked of stepUps) {
    const walk = await it.open(browser, asked)
    expect([asked, await walk.title()]).toEqual([asked, 'Sign in to nordwerk'])
    expect((await walk.send({ step: 'new-totp', code: '1' })).location).toBe('')
  }
})

test('prompt=login and max_age ask for the password again', async () => {
  await it.person('gina')
  const browser = testBrowser()
  const { fragment } = await it.signIn('gina', {}, browser)
  const fresh = await it.open(browser, { prompt: 'login' })
  expect(await fresh.title()).toBe('Sign in to nordwerk')
  expect((await askAgain(browser, { max_age: '100' })).has('code')).toBe(true)
  await ageSession(fragment.get('session_state'), 200)
  const walk = await it.open(browser, { max_age: '100' })
  expect(await walk.title()).toBe('Sign in to nordwerk')
  const tokens = await walk.finish({ username: 'gina', password: goodPassword })
  const { auth_time: at, iat } = claimsOf(tokens.id_token) as { auth_time: number; iat: number }
  expect(iat - at).toBeLessThan(60)
})

test('acr_values=2 asks a signed-in person for the second factor alone, and remembers the sign-in [T-11]', async () => {
  await it.person('hans')
  const browser = testBrowser()
  const weak = await it.signIn('hans', {}, browser)
  expect(claimsOf(weak.access_token)).toMatchObject({ acr: '1' })
  await ageSession(weak.fragment.get('session_state'), 100)
  const walk = await it.open(browser, { acr_values: '2' })
  expect(await walk.title()).toBe('Set up an authenticator app')
  const secret = walk.secret(await walk.html())
  await walk.send({ step: 'new-totp', code: it.code(secret) })
  const strong = await walk.finish({ step: 'continue' })
  expect(claimsOf(strong.access_token)).toMatchObject({
    acr: '2',
    sid: claimsOf(weak.id_token)['sid'],
  })
  expect((await askAgain(browser, { acr_values: '2' })).has('code')).toBe(true)
  // A token of the same session in another tab is as strong from its next refresh on.
  const { refresh_token } = weak
  const next = (await (await refresh(it.server, it.realm, { refresh_token })).json()) as {
    access_token: string
  }
  expect(claimsOf(next.access_token)).toMatchObject({ acr: '2', amr: ['pwd', 'otp', 'mfa'] })
  const unknown = { claims: JSON.stringify({ id_token: { acr: { essential: true, value: '9' } } }) }
  expect((await askAgain(browser, unknown)).get('error')).toBe('invalid_request')
})

test('an organization that asks for a second factor gets no token without one [R-04]', async () => {
  const scopes = ['iam.devices.read']
  await it.person('ines', [
    { id: 1, resourceId: 'strict', name: 'S', scopes, secondFactorRequired: true },
    { id: 2, resourceId: 'open', name: 'O', scopes },
  ])
  const browser = testBrowser()
  const open = await it.signIn('ines', { scope: 'openid org:open org:*' }, browser)
  expect(claimsOf(open.access_token)).toMatchObject({ acr: '1' })
  const ticket = async (access_token: string) =>
    fetch(it.server.at(it.realm, 'token'), {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: 'platform',
        permission: 'strict',
      }),
    })
  expect((await ticket(open.access_token)).status).toBe(403)
  const silent = await askAgain(browser, { prompt: 'none', scope: 'openid org:strict' })
  expect(silent.get('error')).toBe('login_required')
  const walk = await it.open(browser, { scope: 'openid org:strict' })
  expect(await walk.html()).toContain('requires a second factor')
  expect((await walk.send({ step: 'cancel' })).location).not.toContain('/protocol/')
  const secret = walk.secret(await walk.html())
  await walk.send({ step: 'new-totp', code: it.code(secret) })
  const tokens = await walk.finish({ step: 'continue' })
  expect(claimsOf(tokens.access_token)).toMatchObject({
    acr: '2',
    authorization: { permissions: [{ rsname: 'strict', scopes }] },
  })
  expect((await ticket(tokens.access_token)).status).toBe(200)
})

test('an organization that begins to ask for a second factor is gone from tokens without one', async () => {
  const scopes = ['iam.devices.read']
  const strict = { id: 1, resourceId: 'later', name: 'L', scopes, secondFactorRequired: false }
  await it.person('jana', [strict])
  const { refresh_token, access_token } = await it.signIn('jana', { scope: 'openid org:later' })
  expect(claimsOf(access_token)['scope']).toContain('org:later')
  strict.secondFactorRequired = true
  const next = await refresh(it.server, it.realm, { refresh_token })
  const { access_token: weaker } = (await next.json()) as { access_token: string }
  expect(claimsOf(weaker)['scope']).not.toContain('org:later')
  expect(claimsOf(weaker)['authorization']).toBeUndefined()
})
