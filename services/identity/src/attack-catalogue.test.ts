import http from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
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
  type Tokens,
  tokensFor,
} from './testing.ts'

let server: IdentityTest
let tokens: Tokens
const anna = { realm: 'nordwerk', username: 'anna' }
const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes: ['iam.devices.read'] }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna', [nordwerk])
  await server.person('solaris', 'sole')
  tokens = await tokensFor(server, testBrowser(), anna)
})
afterAll(() => server.close())

const userinfo = async (token: string, realm = 'nordwerk') =>
  (await fetch(server.at(realm, 'userinfo'), { headers: { authorization: `Bearer ${token}` } }))
    .status
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }

test('a key that the token brings itself counts nothing (attack 3) (attack 4) (attack 6)', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  const { kid } = headerOf(tokens.access_token)
  let asked = 0
  const foreign = http.createServer((_, answer) => {
    asked += 1
    answer.end(JSON.stringify({ keys: [{ ...jwk, kid: 'own' }] }))
  })
  await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done))
  const { port } = foreign.address() as { port: number }
  const jku = `http://127.0.0.1:${port}/certs`
  const x5u = jku
  for (const header of [
    { jwk },
    { jwk, kid },
    { jku },
    { jku, kid: 'own' },
    { x5u, kid: 'own' },
    { kid },
    {},
  ]) {
    const forged = await new SignJWT(claimsOf(tokens.access_token))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...header })
      .sign(privateKey)
    expect(await userinfo(forged)).toBe(401)
  }
  expect(asked).toBe(0)
  await new Promise((done) => foreign.close(done))
  expect(await userinfo(tokens.access_token)).toBe(200)
})

test('nothing of one realm is good in another (attack 12)', async () => {
  const { access_token, refresh_token } = tokens
  expect(await userinfo(access_token, 'solaris')).toBe(401)
  expect((await refresh(server, 'solaris', { refresh_token })).status).toBe(400)
  const { verifier, challenge } = pkce()
  const changes = { code_challenge: challenge }
  const { location } = await signInTo(server, testBrowser(), { ...anna, changes })
  const code = {
    code: fragmentOf(location).get('code') ?? '',
    client_id: 'portal',
    redirect_uri: `${server.origin}/`,
    code_verifier: verifier,
  }
  expect((await redeemCode(server, 'solaris', code)).status).toBe(400)
  const browser = testBrowser()
  await tokensFor(server, browser, anna)
  for (const [key, { value }] of browser.cookies) {
    const [name] = key.split(' ')
    browser.cookies.set(`${name} /auth/realms/solaris/`, { value, path: '/auth/realms/solaris/' })
  }
  const { fragment } = await askAgain(server, browser, 'solaris', { prompt: 'none' })
  expect(fragment.get('error')).toBe('login_required')
})

test('two Authorization headers are one bad one (attack 16)', async () => {
  const { hostname, port, pathname } = new URL(server.at('nordwerk', 'userinfo'))
  const good = `Bearer ${tokens.access_token}`
  for (const authorization of [
    [good, 'Bearer x'],
    ['Bearer x', good],
  ]) {
    const status = await new Promise((done, failed) => {
      const headers = ['Host', `${hostname}:${port}`]
      for (const one of authorization) headers.push('Authorization', one)
      http
        .get({ hostname, port, path: pathname, headers, setHost: false }, (answer) => {
          answer.resume()
          done(answer.statusCode)
        })
        .on('error', failed)
    })
    expect(status).toBe(400)
  }
})

test('tokens are never handed out in an address (attack 27)', async () => {
  for (const response_type of [
    'token',
    'id_token',
    'id_token token',
    'code id_token',
    'code token',
    'code id_token token',
    'none',
  ]) {
    const browser = testBrowser()
    await tokensFor(server, browser, anna)
    const changes = { response_type, code_challenge: pkce().challenge }
    const answer = await browser.go(authorizeUrl(server, 'nordwerk', changes))
    expect(fragmentOf(locationOf(answer)).get('error')).toMatch(
      /unsupported_response_type|unauthorized_client|invalid_request/,
    )
    expect(locationOf(answer)).not.toMatch(/access_token|id_token=/)
  }
})

test('a silent request for a sign-in that is new ends at once, without a loop (attack 38)', async () => {
  const browser = testBrowser()
  await tokensFor(server, browser, anna)
  const changes = { prompt: 'none', max_age: '0' }
  const { fragment, tokens: got } = await askAgain(server, browser, 'nordwerk', changes)
  expect([fragment.get('error'), got]).toEqual(['login_required', undefined])
})

test('an action that nobody knows is refused (attack 39)', async () => {
  for (const kc_action of ['delete_account', 'UPDATE_EMAIL', '__proto__', '']) {
    const changes = { kc_action, code_challenge: pkce().challenge }
    const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    const error = fragmentOf(locationOf(answer)).get('error')
    // An empty parameter counts as none.
    expect(error ?? '').toBe(kc_action === '' ? '' : 'invalid_request')
  }
})

test('a scope for everything names only what is theirs; names of the language are no organizations (attack 43) (attack 45)', async () => {
  const changes = { scope: 'openid org:* org:__proto__ org:NORDWERK org:constructor' }
  const { access_token } = await tokensFor(server, testBrowser(), { ...anna, changes })
  const claims = claimsOf(access_token)
  expect(claims['authorization']).toEqual({
    permissions: [{ rsid: '7', rsname: 'nordwerk', scopes: ['iam.devices.read'] }],
  })
  expect(claims['scope']).toBe('openid org:* profile email')
})

test('a person who is disabled or deleted is nobody with the tokens they had (attack 18) (attack 19)', async () => {
  for (const end of ['disable', 'delete', 'password'] as const) {
    const username = `gone-${end}`
    const { sub } = await server.person('nordwerk', username)
    const had = await tokensFor(server, testBrowser(), { realm: 'nordwerk', username })
    const params = { sub }
    if (end === 'delete') await server.calls.deleteAccount({ params })
    else if (end === 'disable') {
      await server.calls.updateAccount({ params, body: { enabled: false } })
    } else {
      await server.calls.updateAccount({ params, body: { password: 'lake-anvil-violet-77' } })
    }
    expect([end, await userinfo(had.access_token)]).toEqual([end, 401])
    const { refresh_token } = had
    expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
  }
})
