import { createPublicKey } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askAgain,
  authorizeUrl,
  claimsOf,
  fragmentOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  redeemCode,
  refresh,
  signInTo,
  testBrowser,
  type TestBrowser,
  type Tokens,
  tokensFor,
} from '../testing.ts'

// What the OpenID Foundation's plan for basic OpenID providers asks, by the names of its modules.

let server: IdentityTest
let sub: string
const realm = 'nordwerk'
const anna = { realm, username: 'anna' }

beforeAll(async () => {
  server = await identityTest()
  ;({ sub } = await server.person(realm, 'anna'))
  await server.calls.updateAccount({
    params: { sub },
    body: { email: 'anna@example.org', firstName: 'Anna', lastName: 'Berg' },
  })
})
afterAll(() => server.close())

type Changes = Record<string, string | undefined>
const signedIn = async (changes: Changes = {}) => {
  const browser = testBrowser()
  return { browser, ...(await tokensFor(server, browser, { ...anna, changes })) }
}
const again = (browser: TestBrowser, changes: Changes = {}) =>
  askAgain(server, browser, realm, changes)
const keys = async () => (await (await fetch(server.at(realm, 'certs'))).json()) as JSONWebKeySet
const userinfo = async (init: RequestInit) => {
  const answer = await fetch(server.at(realm, 'userinfo'), init)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const authTimeOf = ({ id_token }: Tokens) => Number(claimsOf(id_token)['auth_time'])
const signInWasLongAgo = (id_token: string, seconds: number) =>
  server.database.pool.query(
    `update identity.oidc_record set payload = jsonb_set(payload, '{loginTs}',
       to_jsonb(extract(epoch from now())::bigint - $2::int))
     where model = 'Session' and uid = $1`,
    [claimsOf(id_token)['sid'], seconds],
  )

test('oidcc-server: a code becomes an ID token and an access token', async () => {
  const tokens = await signedIn()
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
  const now = Math.floor(Date.now() / 1000)
  const claims = claimsOf(tokens.id_token) as { iat: number; exp: number }
  expect(claims).toMatchObject({
    iss: `${server.origin}/auth/realms/${realm}`,
    sub,
    aud: 'portal',
    nonce: 'some-nonce',
  })
  expect(Math.abs(claims.iat - now)).toBeLessThan(60)
  expect(claims.exp).toBeGreaterThan(now)
  expect(tokens.fragment.get('state')).toBe('some-state')
})

test('oidcc-response-type-missing: refused, the browser is told so', async () => {
  const changes = { response_type: undefined, code_challenge: pkce().challenge }
  const answer = await testBrowser().go(authorizeUrl(server, realm, changes))
  const error = fragmentOf(locationOf(answer)).get('error') ?? (await answer.text())
  expect(error).toMatch(/invalid_request/)
})

test('oidcc-idtoken-signature: RS256 with a published key, named by its kid', async () => {
  const { id_token } = await signedIn()
  const set = await keys()
  expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: 'RS256' })
  expect(set.keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(id_token).kid)
  await jwtVerify(id_token, createLocalJWKSet(set), { algorithms: ['RS256'] })
  for (const key of set.keys) {
    const { modulusLength } = createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {}
    expect(modulusLength).toBeGreaterThanOrEqual(2048)
  }
})

test('oidcc-idtoken-unsigned: no unsigned ID token is offered or made', async () => {
  const document = await fetch(
    `${server.origin}/auth/realms/${realm}/.well-known/openid-configuration`,
  )
  expect(await document.json()).toMatchObject({ id_token_signing_alg_values_supported: ['RS256'] })
})

test('oidcc-userinfo-get: the same subject as in the ID token', async () => {
  const { access_token, id_token } = await signedIn()
  const { status, body } = await userinfo(bearer(access_token))
  expect([status, body['sub']]).toEqual([200, claimsOf(id_token)['sub']])
})

test('oidcc-userinfo-post-header: the token in the header of a POST', async () => {
  const { access_token } = await signedIn()
  const { status, body } = await userinfo({ method: 'POST', ...bearer(access_token) })
  expect([status, body['sub']]).toEqual([200, sub])
})

test('oidcc-userinfo-post-body: the token as a form field', async () => {
  const { access_token } = await signedIn()
  const body = new URLSearchParams({ access_token })
  const answer = await userinfo({ method: 'POST', body })
  expect([answer.status, answer.body['sub']]).toEqual([200, sub])
  const twice = await userinfo({ method: 'POST', body, ...bearer(access_token) })
  expect(twice.status).toBe(401)
})

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: and no nonce is invented', async () => {
  const { id_token } = await signedIn({ nonce: undefined })
  expect(claimsOf(id_token)).not.toHaveProperty('nonce')
})

const profile = {
  name: 'Anna Berg',
  given_name: 'Anna',
  family_name: 'Berg',
  preferred_username: 'anna@nordwerk',
}
const email = { email: 'anna@example.org', email_verified: false }

test.each([
  ['oidcc-scope-profile', 'openid profile', profile],
  ['oidcc-scope-email', 'openid email', email],
  ['oidcc-scope-address', 'openid address', { sub: expect.any(String) as string }],
  ['oidcc-scope-phone', 'openid phone', { sub: expect.any(String) as string }],
  ['oidcc-scope-all', 'openid profile email address phone', { ...profile, ...email }],
])('%s: its claims are at userinfo', async (_, scope, claims) => {
  const { access_token } = await signedIn({ scope })
  expect((await userinfo(bearer(access_token))).body).toMatchObject(claims)
})

test('oidcc-ensure-other-scope-order-succeeds: openid need not come first', async () => {
  const { access_token } = await signedIn({ scope: 'email profile openid' })
  expect((await userinfo(bearer(access_token))).body).toMatchObject({ ...profile, ...email })
})

test.each(['page', 'popup'])('oidcc-display-%s: the sign-in works', async (display) => {
  expect((await signedIn({ display })).id_token).toBeDefined()
})

test('oidcc-prompt-login: a new sign-in, though there is a session', async () => {
  const { browser, ...first } = await signedIn()
  await signInWasLongAgo(first.id_token, 100)
  const before = authTimeOf((await again(browser, { max_age: '10000' })).tokens as Tokens)
  const asked = await again(browser, { prompt: 'login' })
  expect(asked.location).toContain('/login-actions/')
  const second = await tokensFor(server, browser, { ...anna, changes: { prompt: 'login' } })
  expect(authTimeOf(second)).toBeGreaterThan(before)
})

test('oidcc-prompt-none-not-logged-in: login_required and no page', async () => {
  const { fragment } = await again(testBrowser(), { prompt: 'none' })
  expect([fragment.get('error'), fragment.get('state')]).toEqual(['login_required', 'some-state'])
})

test('oidcc-prompt-none-logged-in: the same sign-in, without a page', async () => {
  const { browser, ...first } = await signedIn()
  const { tokens } = await again(browser, { prompt: 'none' })
  const [one, two] = [claimsOf(first.id_token), claimsOf(tokens?.id_token ?? '')]
  expect([two['sub'], two['auth_time']]).toEqual([one['sub'], one['auth_time'] ?? two['auth_time']])
})

test('oidcc-max-age-1: an older sign-in must be repeated, and its time is told', async () => {
  const { browser, ...first } = await signedIn({ max_age: '1' })
  expect(authTimeOf(first)).toBeGreaterThan(0)
  await signInWasLongAgo(first.id_token, 10)
  expect((await again(browser, { max_age: '1' })).location).toContain('/login-actions/')
  const second = await tokensFor(server, browser, { ...anna, changes: { max_age: '1' } })
  expect(authTimeOf(second)).toBeGreaterThan(authTimeOf(first) - 10)
})

test('oidcc-max-age-10000: a young sign-in is enough, and its time is told', async () => {
  const { browser, ...first } = await signedIn({ max_age: '10000' })
  const { tokens } = await again(browser, { max_age: '10000' })
  expect(authTimeOf(tokens as Tokens)).toBe(authTimeOf(first))
})

test('oidcc-ensure-request-with-unknown-parameter-succeeds: what nobody knows is ignored', async () => {
  expect((await signedIn({ extra: 'foobar' })).id_token).toBeDefined()
})

test('oidcc-id-token-hint: the person of the hint, without a page', async () => {
  const { browser, id_token } = await signedIn()
  const { tokens } = await again(browser, { prompt: 'none', id_token_hint: id_token })
  expect(claimsOf(tokens?.id_token ?? '')['sub']).toBe(sub)
})

test('oidcc-login-hint: the name is filled in', async () => {
  const browser = testBrowser()
  const changes = { login_hint: 'anna@nordwerk', code_challenge: pkce().challenge }
  const asked = await browser.go(authorizeUrl(server, realm, changes))
  const page = await (await browser.go(locationOf(asked))).text()
  expect(page).toMatch(/name="username"\s+value="anna@nordwerk"/)
})

test('oidcc-ui-locales: the page speaks the first language that it can', async () => {
  const browser = testBrowser()
  const changes = { ui_locales: 'se fr', code_challenge: pkce().challenge }
  const asked = await browser.go(authorizeUrl(server, realm, changes))
  expect(await (await browser.go(locationOf(asked))).text()).toContain('<html lang="fr"')
})

test('oidcc-claims-locales: accepted', async () => {
  expect((await signedIn({ claims_locales: 'se' })).id_token).toBeDefined()
})

test('oidcc-ensure-request-with-acr-values-succeeds: the level that was reached is told', async () => {
  const { id_token } = await signedIn({ acr_values: '1' })
  expect(claimsOf(id_token)['acr']).toBe('1')
})

test('oidcc-codereuse: a code works once, and what it gave ends', async () => {
  const { redeem, refresh_token } = await signedIn()
  const answer = await redeem()
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
    400,
    'invalid_grant',
  ])
  expect((await refresh(server, realm, { refresh_token })).status).toBe(400)
})

test('oidcc-codereuse-30seconds: half a minute later too', async () => {
  const { redeem, refresh_token } = await signedIn()
  await server.database.pool.query(
    `update identity.oidc_record set consumed_at = now() - interval '30 seconds'
     where model = 'AuthorizationCode' and consumed_at is not null`,
  )
  expect((await redeem()).status).toBe(400)
  expect((await refresh(server, realm, { refresh_token })).status).toBe(400)
})

test('oidcc-ensure-registered-redirect-uri: a foreign address gets a page and no redirect', async () => {
  const changes = {
    redirect_uri: 'https://foreign.example/callback',
    code_challenge: pkce().challenge,
  }
  const answer = await testBrowser().go(authorizeUrl(server, realm, changes))
  expect([answer.status, locationOf(answer)]).toEqual([400, ''])
})

test('oidcc-ensure-post-request-succeeds: the request may come as a form', async () => {
  const browser = testBrowser()
  const { verifier, challenge } = pkce()
  const url = new URL(authorizeUrl(server, realm, { code_challenge: challenge }))
  const sent = await browser.post(url.origin + url.pathname, Object.fromEntries(url.searchParams))
  expect([sent.status, locationOf(sent).startsWith(server.at(realm, 'auth?'))]).toEqual([303, true])
  const asked = await browser.go(locationOf(sent))
  const form = { username: 'anna', password: 'lake-anvil-violet-7' }
  const back = await browser.go(locationOf(await browser.post(locationOf(asked), form)))
  const answer = await redeemCode(server, realm, {
    code: fragmentOf(locationOf(back)).get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: `${server.origin}/`,
    client_id: 'portal',
  })
  expect(answer.status).toBe(200)
})

test('oidcc-server-client-secret-post: a secret may come as a form field', async () => {
  const body = { realm, username: 'robot', serviceAccount: true }
  const { clientSecret = '' } = await server.calls.createAccount({ body })
  const answer = await fetch(server.at(realm, 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'user-service-robot',
      client_secret: clientSecret,
    }),
  })
  expect(answer.status).toBe(200)
})

const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"state":"other"}').toString('base64url')}.`

test.each([
  [
    'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    { request_uri: 'https://foreign.example/request.jwt' },
    'request_uri_not_supported',
  ],
  [
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    { request: unsigned },
    'request_not_supported',
  ],
  [
    'oidcc-ensure-request-object-with-redirect-uri',
    { request: unsigned, redirect_uri: undefined },
    undefined,
  ],
])('%s: rejected', async (_, changes, wanted) => {
  const ask = { code_challenge: pkce().challenge, ...changes }
  const answer = await testBrowser().go(authorizeUrl(server, realm, ask))
  const error = fragmentOf(locationOf(answer)).get('error')
  expect(locationOf(answer)).not.toContain('login-actions')
  if (wanted) expect(error ?? (await answer.text())).toContain(wanted)
  else expect(answer.status).toBe(400)
})

test('oidcc-claims-essential: a claim that is asked for by name is given', async () => {
  const claims = JSON.stringify({
    userinfo: { name: { essential: true } },
    id_token: { auth_time: { essential: true } },
  })
  const tokens = await signedIn({ claims })
  expect(authTimeOf(tokens)).toBeGreaterThan(0)
  const { body } = await userinfo(bearer(tokens.access_token))
  expect(body['name']).toBe('Anna Berg')
})

test('oidcc-refresh-token: new tokens for the same person, and not for another client', async () => {
  const first = await signedIn()
  const foreign = { refresh_token: first.refresh_token, client_id: 'corvina-web-portal' }
  expect((await refresh(server, realm, foreign)).status).toBe(400)
  const answer = await refresh(server, realm, { refresh_token: first.refresh_token })
  const next = (await answer.json()) as Tokens
  expect(answer.status).toBe(200)
  const [one, two] = [claimsOf(first.id_token), claimsOf(next.id_token)]
  for (const name of ['iss', 'sub', 'aud', 'auth_time']) expect(two[name]).toEqual(one[name])
  expect((await userinfo(bearer(next.access_token))).status).toBe(200)
})

test('oidcc-ensure-request-with-valid-pkce-succeeds: and with a wrong verifier it does not', async () => {
  expect((await signedIn()).id_token).toBeDefined()
  const { challenge } = pkce()
  const { location } = await signInTo(server, testBrowser(), {
    ...anna,
    changes: { code_challenge: challenge },
  })
  const answer = await redeemCode(server, realm, {
    code: fragmentOf(location).get('code') ?? '',
    code_verifier: pkce().verifier,
    redirect_uri: `${server.origin}/`,
    client_id: 'portal',
  })
  expect(answer.status).toBe(400)
})
