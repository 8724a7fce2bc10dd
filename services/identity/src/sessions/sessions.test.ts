import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanupSessions } from './session-cleanup.ts'
import {
  authorizeUrl,
  claimsOf,
  fragmentOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  refresh,
  testBrowser,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
const anna = { realm: 'nordwerk', username: 'anna' }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
  await server.person('nordwerk', 'otto')
})
afterAll(() => server.close())

const endedSessions = async () => {
  const { rows } = await server.database.pool.query<{ payload: { session: string } }>(
    `select payload from bus.event where topic = 'identity.session_ended'`,
  )
  return rows.map(({ payload }) => payload.session)
}
const isSignedIn = async (browser: ReturnType<typeof testBrowser>) => {
  const changes = { prompt: 'none', code_challenge: pkce().challenge }
  const answer = await browser.go(authorizeUrl(server, 'nordwerk', changes))
  return fragmentOf(locationOf(answer)).has('code')
}
const alive = async (token: string) =>
  (
    await fetch(server.at('nordwerk', 'userinfo'), {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status === 200

test('signing out with the ID token ends the session at once and everywhere [T-15]', async () => {
  const browser = testBrowser()
  const { id_token, refresh_token, access_token } = await tokensFor(server, browser, anna)
  const sid = claimsOf(id_token)['sid']
  expect(await isSignedIn(browser)).toBe(true)
  const query = new URLSearchParams({
    id_token_hint: id_token,
    client_id: 'portal',
    post_logout_redirect_uri: `${server.origin}/`,
    state: 'x',
  })
  // No cookie is needed: another browser would do as well.
  const answer = await testBrowser().go(`${server.at('nordwerk', 'logout')}?${query}`)
  expect([answer.status, locationOf(answer)]).toEqual([303, `${server.origin}/?state=x`])
  expect(await isSignedIn(browser)).toBe(false)
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
  expect(await alive(access_token)).toBe(false)
  expect(await endedSessions()).toContain(sid)
  const again = await browser.post(server.at('nordwerk', 'logout'), { id_token_hint: id_token })
  expect(locationOf(again)).toContain('logout-confirm')
  expect((await endedSessions()).filter((one) => one === sid)).toHaveLength(1)
})

test('a hint that is altered, of another realm or no ID token ends nothing (attack 30)', async () => {
  const browser = testBrowser()
  const { id_token, access_token } = await tokensFor(server, browser, anna)
  const [head = '', , signature = ''] = id_token.split('.')
  const body = Buffer.from(JSON.stringify({ ...claimsOf(id_token), sub: 'x' })).toString(
    'base64url',
  )
  await server.person('solaris', 'sole')
  const other = await tokensFor(server, testBrowser(), { realm: 'solaris', username: 'sole' })
  for (const hint of [`${head}.${body}.${signature}`, access_token, other.id_token, 'x', '']) {
    const query = new URLSearchParams({ id_token_hint: hint })
    const answer = await browser.go(`${server.at('nordwerk', 'logout')}?${query}`)
    expect(answer.status).toBe(400)
  }
  expect(await isSignedIn(browser)).toBe(true)
})

test('signing out without a hint asks first, and another site cannot answer (attack 31) (attack 32)', async () => {
  const browser = testBrowser()
  await tokensFor(server, browser, anna)
  const page = await browser.go(server.at('nordwerk', 'logout'))
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
  const confirm = server.at('nordwerk', 'logout/logout-confirm')
  expect((await browser.post(confirm, { proof: 'guess' })).status).toBe(400)
  expect(await isSignedIn(browser)).toBe(true)
  const proof = /name="proof"\s+value="([^"]+)"/.exec(html)?.[1] ?? ''
  const answer = await browser.post(confirm, { proof })
  expect(locationOf(answer)).toContain('logout-confirm')
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.go(locationOf(answer))).status).toBe(200)
})

test('the session cookie is signed and bound to its realm (attack 35)', async () => {
  const browser = testBrowser()
  await tokensFor(server, browser, anna)
  const cookies = [...browser.cookies].filter(([key]) => key.startsWith('_session'))
  expect(cookies.map(([, { path }]) => path)).toEqual(Array(2).fill('/auth/realms/nordwerk/'))
  for (const [key] of cookies) if (key.startsWith('_session.sig')) browser.cookies.delete(key)
  expect(await isSignedIn(browser)).toBe(false)
})

test('signing in changes the session cookie (attack 34)', async () => {
  const browser = testBrowser()
  await browser.go(authorizeUrl(server, 'nordwerk', { code_challenge: pkce().challenge }))
  const before = browser.cookies.get('_session /auth/realms/nordwerk/')?.value
  await tokensFor(server, browser, anna)
  const after = browser.cookies.get('_session /auth/realms/nordwerk/')?.value
  expect(after).toBeDefined()
  expect(after).not.toBe(before)
})

test('another person signs in on the same browser: the first session ends', async () => {
  const browser = testBrowser()
  const first = await tokensFor(server, browser, anna)
  const changes = { prompt: 'login' }
  const second = await tokensFor(server, browser, { ...anna, username: 'otto', changes })
  expect(claimsOf(second.access_token)['preferred_username']).toBe('otto@nordwerk')
  expect(await alive(first.access_token)).toBe(false)
  expect(await alive(second.access_token)).toBe(true)
})

test('the session frame tells the portal alone, by a cookie that is a hash (attack 109) [C-05] [T-15]', async () => {
  const browser = testBrowser()
  const { id_token } = await tokensFor(server, browser, anna)
  const sid = claimsOf(id_token)['sid'] as string
  const cookie = browser.cookies.get('KEYCLOAK_SESSION /auth/realms/nordwerk/')?.value
  expect(cookie).toBe(createHash('sha256').update(sid).digest('base64url'))
  const frame = server.at('nordwerk', 'login-status-iframe.html')
  const page = await browser.go(frame)
  expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'self'`)
  const init = (client_id: string, origin: string) =>
    browser.go(`${frame}/init?${new URLSearchParams({ client_id, origin })}`)
  expect((await init('portal', server.origin)).status).toBe(204)
  expect((await init('portal', 'https://evil.example')).status).toBe(403)
  expect((await init('portal', 'null')).status).toBe(403)
  expect((await init('other', server.origin)).status).toBe(403)
})

test('the cookie test says whether its cookie came back [X-04]', async () => {
  const browser = testBrowser()
  const step1 = await browser.go(server.at('nordwerk', '3p-cookies/step1.html'))
  const step2 = new URL(locationOf(step1), server.origin).href
  expect(await (await browser.go(step2)).text()).toContain('cookies-supported.js')
  expect(await (await testBrowser().go(step2)).text()).toContain('cookies-unsupported.js')
})

test('a session that ran out ends, is told, and its refresh token is dead [T-15]', async () => {
  const { refresh_token, id_token } = await tokensFor(server, testBrowser(), anna)
  await server.database.pool.query(
    `update identity.oidc_record set expires_at = now() - interval '1 second',
     payload = jsonb_set(payload, '{exp}', to_jsonb(extract(epoch from now())::bigint - 1))
     where model = 'Session' and uid = $1`,
    [claimsOf(id_token)['sid']],
  )
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
  await sweep()
  expect(await endedSessions()).toContain(claimsOf(id_token)['sid'])
})

const sweep = () =>
  cleanupSessions({ db: server.database.db.withSchema('identity'), now: () => new Date() })

test('refreshing keeps the session alive, but not longer than ten hours', async () => {
  const { refresh_token, id_token } = await tokensFor(server, testBrowser(), anna)
  const sid = claimsOf(id_token)['sid']
  const endsIn = async () => {
    const { rows } = await server.database.pool.query<{ left: number }>(
      `select extract(epoch from expires_at - now())::int as left from identity.oidc_record
       where model = 'Session' and uid = $1`,
      [sid],
    )
    return rows[0]?.left ?? 0
  }
  const signedInAgo = (seconds: number) =>
    server.database.pool.query(
      `update identity.oidc_record set expires_at = now() + interval '60 seconds',
       payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - $2::int))
       where model = 'Session' and uid = $1`,
      [sid, seconds],
    )
  await signedInAgo(3600)
  const first = await refresh(server, 'nordwerk', { refresh_token })
  expect(await endsIn()).toBeGreaterThan(1700)
  await signedInAgo(35_900)
  const next = ((await first.json()) as { refresh_token: string }).refresh_token
  expect((await refresh(server, 'nordwerk', { refresh_token: next })).status).toBe(200)
  expect(await endsIn()).toBeLessThanOrEqual(101)
})
