import { createHmac } from 'node:crypto'
import http from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  claimsOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  testBrowser,
  type Tokens,
  tokensFor,
} from './testing.ts'

let server: IdentityTest
let tokens: Tokens
const anna = { realm: 'nordwerk', username: 'anna' }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
  await server.person('solaris', 'sole')
  tokens = await tokensFor(server, testBrowser(), anna)
})
afterAll(() => server.close())

const userinfo = (token: string, realm = 'nordwerk') =>
  fetch(server.at(realm, 'userinfo'), { headers: { authorization: `Bearer ${token}` } })
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('the access token opens userinfo and the account [C-05]', async () => {
  const answer = await userinfo(tokens.access_token)
  expect(await answer.json()).toMatchObject({ preferred_username: 'anna@nordwerk' })
  const account = await fetch(`${server.origin}/auth/realms/nordwerk/account`, {
    headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
  })
  expect(await account.json()).toMatchObject({ username: 'anna', emailVerified: false })
})

test('nothing else does: other tokens, realms, signatures (attack 1) (attack 2) (attack 5) (attack 7) (attack 8) (attack 9) (attack 10) (attack 15)', async () => {
  const [head = '', body = '', signature = ''] = tokens.access_token.split('.')
  const certs = await (await fetch(server.at('nordwerk', 'certs'))).text()
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
  const hs = (typ: string) => {
    const start = `${base64url({ alg: 'HS256', kid, typ })}.${body}`
    return `${start}.${createHmac('sha256', certs).update(start).digest('base64url')}`
  }
  const claims = claimsOf(tokens.access_token)
  const forged = [
    ...['none', 'None', 'NONE', ''].map((alg) => `${base64url({ alg, typ: 'at+jwt' })}.${body}.`),
    hs('at+jwt'),
    `${base64url({ alg: 'RS256', kid: '../../etc/passwd', typ: 'at+jwt' })}.${body}.${signature}`,
    `${base64url({ alg: 'RS256', kid: '__proto__', typ: 'at+jwt' })}.${body}.${signature}`,
    `${head}.${base64url({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })}.${signature}`,
    `${base64url({ alg: 'RS256', kid, typ: 'at+jwt', crit: ['exp2'] })}.${body}.${signature}`,
    tokens.id_token,
    tokens.refresh_token,
    '',
    'x'.repeat(5000),
  ]
  for (const token of forged) expect((await userinfo(token)).status).toBe(401)
  expect((await userinfo(tokens.access_token, 'solaris')).status).toBe(401)
  const inQuery = `${server.at('nordwerk', 'userinfo')}?access_token=${tokens.access_token}`
  expect((await fetch(inQuery)).status).toBe(401)
})

/** A request with a Host, path and headers of our own choice, which `fetch` would not send. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; location: string; body: string }>((resolve, reject) => {
    const { port } = new URL(server.origin)
    http
      .get({ host: 'localhost', port, path, headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const { statusCode: status = 0, headers } = answer
          const body = Buffer.concat(parts).toString()
          resolve({ status, location: headers.location ?? '', body })
        })
      })
      .on('error', reject)
  })

test.each([
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'host=evil.example;proto=https' },
  { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-prefix': '/evil' },
])('the host of a request is never trusted: %j (attack 36)', async (headers) => {
  const realm = '/auth/realms/nordwerk'
  const paths = [
    '/.well-known/openid-configuration',
    '/protocol/openid-connect/3p-cookies/step1.html',
  ]
  for (const path of paths) {
    const { body, location } = await raw(realm + path, headers)
    expect(body + location).not.toContain('evil')
  }
  const { pathname, search } = new URL(
    authorizeUrl(server, 'nordwerk', { code_challenge: pkce().challenge }),
  )
  for (const path of [pathname + search, `http://evil.example${pathname}${search}`]) {
    const { location, status } = await raw(path, headers)
    expect(status).toBe(303)
    expect(location.startsWith(`${server.origin}${realm}/login-actions/`)).toBe(true)
  }
})

const refused = (origin: string) => {
  const { host, port } = new URL(origin)
  return [
    'https://evil.example/',
    `${origin}.evil.example/`,
    `http://${host}@evil.example/`,
    `http://evil.example@${host}/`,
    `http://a@b@${host}/`,
    `http://user:pass@${host}/`,
    `${origin}\\.evil.example/`,
    `http:\\\\evil.example/`,
    `http:/${host}/`,
    `http:${host}/`,
    `//${host}/`,
    `${origin}/\t`,
    `${origin}/ x`,
    `${origin}/a\r\nb`,
    `${origin}/a\u0000`,
    `https://${host}/`,
    `http://localhost:1${port}/`,
    `http://[::1]:${port}/`,
    `http://127.0.0.1:${port}/`,
    `${origin}/../`,
    `${origin}/a/..;/b`,
    `${origin}/%2e%2e/b`,
    `${origin}/a%2fb`,
    `${origin}/a%5cb`,
    `${origin}/a;x=1`,
    `${origin}/?code=1`,
    `${origin}/?state=1`,
    `${origin}/?iss=1`,
    `${origin}/?error=1`,
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://localhost/callback/',
    '',
  ]
}

test('no redirect address but those below the portal is taken (attack 21)', async () => {
  for (const redirect_uri of refused(server.origin)) {
    const changes = { redirect_uri, code_challenge: pkce().challenge }
    const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    expect([redirect_uri, answer.status, locationOf(answer)]).toEqual([redirect_uri, 400, ''])
  }
  for (const path of ['', '/', '/devices?tab=values', '/a/b/c']) {
    const changes = { redirect_uri: server.origin + path, code_challenge: pkce().challenge }
    const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    expect(answer.status).toBe(303)
  }
})

test('no foreign address is taken for signing out (attack 29) [X-04]', async () => {
  for (const post_logout_redirect_uri of refused(server.origin)) {
    const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri })
    const answer = await testBrowser().go(`${server.at('nordwerk', 'logout')}?${query}`)
    expect([post_logout_redirect_uri, answer.status]).toEqual([post_logout_redirect_uri, 400])
  }
  expect((await userinfo(tokens.access_token)).status).toBe(200)
})

test('parameters that come twice are refused (attack 22)', async () => {
  for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge']) {
    const url = authorizeUrl(server, 'nordwerk', { code_challenge: pkce().challenge })
    const twice = `${url}&${name}=${encodeURIComponent(new URL(url).searchParams.get(name) ?? '')}`
    const answer = await testBrowser().go(twice)
    const error = new URLSearchParams(locationOf(answer).split('#')[1]).get('error')
    expect(answer.status === 400 || error === 'invalid_request').toBe(true)
  }
  // Also where something else is refused first.
  for (const grant of ['grant_type=', 'grant_type=refresh_token&client_id=nobody']) {
    const answer = await fetch(
      `${server.origin}/auth/realms/nordwerk/protocol/openid-connect/token`,
      {
        method: 'POST',
        body: new URLSearchParams(`${grant}&redirect_uri=a&redirect_uri=b`),
      },
    )
    expect([400, 401]).toContain(answer.status)
  }
})

test('request objects are refused (attack 28)', async () => {
  for (const changes of [{ request: 'a.b.c' }, { request_uri: 'https://evil.example/' }]) {
    const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    expect(locationOf(answer)).not.toContain('login-actions')
  }
})

test('another origin may not read answers, the portal may (attack 41)', async () => {
  for (const [origin, allowed] of [
    [server.origin, server.origin],
    ['https://evil.example', null],
    ['null', null],
  ] as const) {
    for (const path of ['token', 'userinfo', 'certs']) {
      const method = path === 'token' ? 'POST' : 'GET'
      const body = method === 'POST' ? new URLSearchParams({ grant_type: 'x' }) : null
      const answer = await fetch(server.at('nordwerk', path), { method, body, headers: { origin } })
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, allowed])
    }
    const preflight = await fetch(server.at('nordwerk', 'token'), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed)
  }
})

test('malformed requests are answered without a stack trace', async () => {
  for (const path of [
    '/auth/realms/%zz/account',
    '/auth/realms/nordwerk/protocol/openid-connect/auth?%zz=%',
    '/auth/realms/nordwerk/protocol/openid-connect/auth/%2e%2e%2f',
    '/auth/realms/nordwerk/login-actions/authenticate/x',
    '/auth/realms/nordwerk/nothing',
  ]) {
    const { status, body } = await raw(path, {})
    expect([path, status >= 400 && status < 500]).toEqual([path, true])
    expect(body).not.toMatch(/at .*\.(js|ts):\d+/)
  }
})

test('a token request that is no form, or too large, is refused', async () => {
  const json = await fetch(server.at('nordwerk', 'token'), {
    method: 'POST',
    body: JSON.stringify({ grant_type: 'authorization_code' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(json.status).toBe(400)
  const large = await fetch(server.at('nordwerk', 'token'), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'x'.repeat(100_000) }),
  })
  expect(large.status).toBe(413)
})

test('the discovery document names the realm and its addresses [C-05]', async () => {
  const answer = await fetch(
    `${server.origin}/auth/realms/nordwerk/.well-known/openid-configuration`,
  )
  const issuer = `${server.origin}/auth/realms/nordwerk`
  const document = (await answer.json()) as Record<string, string>
  expect(document).toMatchObject({ issuer })
  for (const name of [
    'jwks_uri',
    'userinfo_endpoint',
    'check_session_iframe',
    'end_session_endpoint',
  ]) {
    expect((await testBrowser().go(document[name] ?? '')).status).not.toBe(404)
  }
  const { keys } = (await (await fetch(document['jwks_uri'] ?? '')).json()) as { keys: object[] }
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
    ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  ])
})
