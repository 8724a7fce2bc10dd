import { afterAll, beforeAll, expect, test } from 'vitest'
import { factorTest, type FactorTest } from '../factors/factor-testing.ts'
import { claimsOf, goodPassword, refresh, testBrowser, type Tokens } from '../testing.ts'

let it: FactorTest

beforeAll(async () => {
  it = await factorTest()
})
afterAll(() => it.server.close())

type Reply = { status: number; body: Record<string, unknown> & unknown[] }
const call = async (
  { access_token }: Pick<Tokens, 'access_token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => {
  const answer = await fetch(`${it.server.origin}/auth/realms/nordwerk/account${path}`, {
    method,
    headers: {
      authorization: `Bearer ${access_token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}
const alive = async (tokens: Tokens) => (await call(tokens, 'GET', '')).status === 200
/** The session is as old as this. */
const age = (tokens: Tokens, seconds: number) =>
  it.server.database.pool.query(
    `update identity.oidc_record
     set payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - $2::int))
     where model = 'Session' and uid = $1`,
    [claimsOf(tokens.access_token)['sid'], seconds],
  )
const trail = async (resource: string, action: string) => {
  const { rows } = await it.server.database.pool.query<{ payload: Record<string, unknown> }>(
    `select payload from bus.event where topic = 'audit.recorded'
     and payload->>'resource' = $1 and payload->>'action' = $2`,
    [resource, action],
  )
  return rows.map(({ payload }) => payload)
}

test('a person changes their names and nothing that is not theirs to change (attack 78) [C-18]', async () => {
  const anna = await it.person('anna')
  const tokens = await it.signIn('anna')
  const { status, body } = await call(tokens, 'POST', '', {
    firstName: 'Anna',
    lastName: 'Schmidt',
    id: 'other',
    sub: 'other',
    username: 'root',
    realm: 'master',
    enabled: false,
    emailVerified: true,
    requiredActions: [],
    attributes: { admin: ['true'] },
    password: 'x',
    serviceAccount: true,
    __proto__: { admin: true },
  })
  expect([status, body]).toEqual([200, expect.objectContaining({ firstName: 'Anna' })])
  expect(await it.server.calls.account({ params: { sub: anna.sub } })).toEqual({
    ...anna,
    firstName: 'Anna',
    lastName: 'Schmidt',
    sessions: [expect.objectContaining({ clients: ['portal'] })],
    credentials: [],
    lockedUntil: null,
  })
  expect((await call(tokens, 'POST', '', { firstName: ['x'] })).status).toBe(400)
  expect((await call(tokens, 'POST', '', { firstName: { $gt: '' } })).status).toBe(400)
  const [change] = await trail('account', 'update')
  expect(change).toMatchObject({ before: { firstName: '' }, after: { firstName: 'Anna' } })
})

test('an address is taken only with a mail server to prove it, and a young sign-in (attack 77)', async () => {
  await it.person('adam')
  const tokens = await it.signIn('adam')
  const asked = await call(tokens, 'POST', '', { email: 'new@example.org' })
  expect([asked.status, asked.body['code']]).toEqual([409, 'identity.no_mail_server'])
  expect((await call(tokens, 'GET', '')).body['email']).toBe('')
  await age(tokens, 400)
  const late = await call(tokens, 'POST', '', { email: 'new@example.org' })
  expect([late.status, late.body['code']]).toEqual([403, 'identity.sign_in_again'])
})

test('sessions tell where they came from, which is this one, and end one by one [C-18]', async () => {
  await it.person('bert')
  const browser = testBrowser()
  const first = await it.signIn('bert', {}, browser)
  const second = await it.signIn('bert')
  const { body } = await call(second, 'GET', '/sessions')
  expect(body).toHaveLength(2)
  const own = body.find((one) => (one as { current: boolean }).current)
  expect(own).toMatchObject({
    id: claimsOf(second.access_token)['sid'],
    ipAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
    clients: [{ clientId: 'portal' }],
  })
  const devices = await call(second, 'GET', '/sessions/devices')
  expect(devices.body).toMatchObject([{ current: true, sessions: [{}, {}] }])
  const id = claimsOf(first.access_token)['sid'] as string
  expect((await call(second, 'DELETE', `/sessions/${id}`)).status).toBe(204)
  expect(await alive(first)).toBe(false)
  const { refresh_token } = first
  expect((await refresh(it.server, 'nordwerk', { refresh_token })).status).toBe(400)
  expect(await it.isSignedIn(browser)).toBe(false)
  expect((await call(second, 'DELETE', `/sessions/${id}`)).status).toBe(404)
  expect(await alive(second)).toBe(true)
})

test('all other sessions end at once, this one lives on [C-18]', async () => {
  await it.person('bill')
  const others = [await it.signIn('bill'), await it.signIn('bill')]
  const own = await it.signIn('bill')
  expect((await call(own, 'DELETE', '/sessions')).status).toBe(204)
  expect(await Promise.all([...others, own].map(alive))).toEqual([false, false, true])
  expect((await call(own, 'DELETE', '/sessions?current=true')).status).toBe(204)
  expect(await alive(own)).toBe(false)
})

test('sessions and credentials of somebody else are not there (attack 80) [C-18]', async () => {
  const { sub } = await it.withApp('carl')
  await it.person('cleo')
  const [cleo, carls] = [
    await it.signIn('cleo'),
    (await it.server.calls.account({ params: { sub } })).sessions,
  ]
  const walk = await it.begin('carl')
  expect(await walk.title()).toBe('Two-factor authentication')
  for (const { id } of carls) {
    expect((await call(cleo, 'DELETE', `/sessions/${id}`)).status).toBe(404)
  }
  const [app] = (await it.server.calls.account({ params: { sub } })).credentials
  for (const id of [app?.id ?? '', 'x', '../otp', "' or 1=1", 'recovery-codes']) {
    const path = `/credentials/${encodeURIComponent(id)}`
    expect((await call(cleo, 'DELETE', path)).status).toBe(404)
    expect((await call(cleo, 'PUT', `${path}/label`, 'mine')).status).toBe(404)
  }
  expect((await it.server.calls.account({ params: { sub } })).credentials).toHaveLength(2)
})

test('a second factor is set up at the account, and the recovery codes come with it [C-18] [T-11]', async () => {
  await it.person('dora')
  const tokens = await it.signIn('dora')
  const { body: asked } = await call(tokens, 'POST', '/totp')
  expect(asked).toMatchObject({
    uri: expect.stringMatching(/^otpauth:\/\/totp\/nordwerk:dora%40nordwerk\?/),
    qr: expect.stringMatching(/^<svg /),
  })
  const secret = asked['secret'] as string
  const wrong = await call(tokens, 'POST', '/totp/confirm', { code: '000000' })
  expect([wrong.status, wrong.body['code']]).toEqual([422, 'identity.code_refused'])
  const code = it.code(secret)
  const { body: made } = await call(tokens, 'POST', '/totp/confirm', { code, label: 'Phone' })
  expect(made['recoveryCodes']).toHaveLength(10)
  expect((await call(tokens, 'POST', '/totp/confirm', { code })).status).toBe(422)
  const { body: kinds } = await call(tokens, 'GET', '/credentials')
  const otp = kinds.find((one) => (one as { type: string }).type === 'otp')
  expect(otp).toMatchObject({
    category: 'two-factor',
    createAction: 'CONFIGURE_TOTP',
    userCredentialMetadatas: [{ credential: { id: made['id'], userLabel: 'Phone' } }],
  })
  it.server.clock.aheadMs += 30_000
  const walk = await it.begin('dora')
  const strong = await walk.finish({ step: 'totp', code: it.code(secret) })
  const path = `/credentials/${String(made['id'])}`
  expect((await call(strong, 'PUT', `${path}/label`, 'Old phone')).status).toBe(204)
  const renewed = await call(strong, 'POST', '/recovery-codes')
  expect(renewed.body['recoveryCodes']).toHaveLength(10)
  expect(renewed.body['recoveryCodes']).not.toEqual(made['recoveryCodes'])
  expect((await call(strong, 'DELETE', path)).status).toBe(204)
  expect(claimsOf((await it.signIn('dora')).access_token)).toMatchObject({ acr: '1' })
  expect((await trail('credential', 'create')).length).toBeGreaterThan(1)
  expect(await trail('credential', 'delete')).toMatchObject([{ before: { type: 'otp' } }])
})

test('no second factor is removed or added without a young sign-in that used it (attack 74)', async () => {
  const { sub, secret } = await it.withApp('egon')
  const walk = await it.begin('egon')
  const tokens = await walk.finish({ step: 'totp', code: it.code(secret) })
  const [app] = (await it.server.calls.account({ params: { sub } })).credentials
  await age(tokens, 310)
  const tries = [
    ['DELETE', `/credentials/${app?.id}`],
    ['DELETE', '/credentials/recovery-codes'],
    ['POST', '/totp'],
    ['POST', '/totp/confirm'],
    ['POST', '/recovery-codes'],
    ['POST', '/passkeys/start'],
    ['POST', '/passkeys'],
  ] as const
  for (const [method, path] of tries) {
    const { status, body } = await call(tokens, method, path)
    expect([path, status, body['code']]).toEqual([path, 403, 'identity.sign_in_again'])
  }
  // Young, but from before there was a second factor.
  await age(tokens, 10)
  await it.server.database.pool.query(
    `update identity.oidc_record set payload = jsonb_set(payload, '{acr}', '"1"')
     where model = 'Session' and account = $1`,
    [sub],
  )
  expect((await call(tokens, 'DELETE', `/credentials/${app?.id}`)).status).toBe(403)
  expect((await it.server.calls.account({ params: { sub } })).credentials).toHaveLength(2)
})

test('a new password needs the present one, ends the other sessions and is judged (attack 76) [C-18]', async () => {
  await it.person('fred')
  const other = await it.signIn('fred')
  const own = await it.signIn('fred')
  const change = (currentPassword: string, newPassword: unknown) =>
    call(own, 'POST', '/password', { currentPassword, newPassword })
  const wrong = await change('not it', 'harbour-lamp-99')
  expect([wrong.status, wrong.body['code']]).toEqual([422, 'identity.password_wrong'])
  for (const [bad, fault] of [
    ['short', 'too_short'],
    ['x'.repeat(513), 'too_long'],
    ['password', 'common'],
    ['FRED', 'too_short'],
    ['lamp\u0007harbour', 'unprintable'],
    ['ﬁﬁﬁ', 'too_short'],
  ]) {
    const { status, body } = await change(goodPassword, bad)
    expect([bad, status, (body['details'] as { fault?: string } | undefined)?.fault]).toEqual([
      bad,
      422,
      fault,
    ])
  }
  expect((await change(goodPassword, { $ne: '' })).status).toBe(400)
  expect((await change(goodPassword, 'x'.repeat(20_000_000))).status).toBe(413)
  expect((await change(goodPassword, 'Ünïcode-lämp 77')).status).toBe(204)
  expect([await alive(own), await alive(other)]).toEqual([true, false])
  const walk = await it.open(testBrowser())
  // The same letters written another way are the same password.
  const decomposed = 'Ünïcode-lämp 77'.normalize('NFD')
  await walk.finish({ username: 'fred', password: decomposed })
  expect(await trail('account', 'password')).toHaveLength(1)
})

test('guesses of the present password end in the session, and keep nobody from the sign-in page (attack 68)', async () => {
  await it.person('gina')
  const tokens = await it.signIn('gina')
  const guess = () =>
    call(tokens, 'POST', '/password', { currentPassword: 'x', newPassword: 'harbour-lamp-99' })
  for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(422)
  expect((await guess()).body['code']).toBe('identity.locked')
  const walk = await it.open(testBrowser())
  expect((await walk.send({ username: 'gina', password: goodPassword })).status).toBe(303)
})

test('a disabled account is out at once, wherever it was signed in', async () => {
  const { sub } = await it.person('hans')
  const tokens = await it.signIn('hans')
  await it.server.calls.updateAccount({ params: { sub }, body: { enabled: false } })
  expect(await alive(tokens)).toBe(false)
  const { refresh_token } = tokens
  expect((await refresh(it.server, 'nordwerk', { refresh_token })).status).toBe(400)
})

test('an administrator sees and ends sessions, and takes a lost second factor away', async () => {
  const { sub, secret } = await it.withApp('ines')
  const walk = await it.begin('ines')
  const tokens = await walk.finish({ step: 'totp', code: it.code(secret) })
  const params = { sub }
  const security = () => it.server.calls.account({ params })
  const end = (id = '') => it.server.calls.updateAccount({ params, body: { endSession: id } })
  const remove = (id = '') =>
    it.server.calls.updateAccount({ params, body: { removeCredential: { id } } })
  const [session] = (await security()).sessions
  expect(session?.id).toBe(claimsOf(tokens.access_token)['sid'])
  await end(session?.id)
  expect(await alive(tokens)).toBe(false)
  await expect(end(session?.id)).rejects.toMatchObject({
    code: 'identity.no_such_session',
  })
  const [app] = (await security()).credentials
  await remove(app?.id)
  expect((await security()).credentials).toEqual([])
  await it.signIn('ines')
  await expect(remove('x')).rejects.toMatchObject({
    code: 'identity.no_such_credential',
  })
})

test('nobody reaches an account without a token of a living session', async () => {
  const answer = await fetch(`${it.server.origin}/auth/realms/nordwerk/account/sessions`)
  expect(answer.status).toBe(401)
  await it.server.person('solaris', 'sole')
  const tokens = await it.signIn('cleo')
  const other = await fetch(`${it.server.origin}/auth/realms/solaris/account/sessions`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  })
  expect(other.status).toBe(401)
})
