import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  askAgain,
  claimsOf,
  identityTest,
  type IdentityTest,
  locationOf,
  testBrowser,
  tokensFor,
} from '../testing.ts'

// What the OpenID Foundation's plan for logout that the application starts asks, by the names of its modules.

let server: IdentityTest
const realm = 'nordwerk'
const anna = { realm, username: 'anna' }

beforeAll(async () => {
  server = await identityTest()
  await server.person(realm, 'anna')
})
afterAll(() => server.close())

async function session() {
  const browser = testBrowser()
  const { id_token } = await tokensFor(server, browser, anna)
  const logout = (fields: Record<string, string>) =>
    browser.go(`${server.at(realm, 'logout')}?${new URLSearchParams(fields)}`)
  const lives = async () =>
    (await askAgain(server, browser, realm, { prompt: 'none' })).tokens !== undefined
  return { browser, id_token, logout, lives }
}
const back = () => `${server.origin}/`

test('oidcc-rp-initiated-logout-discovery-endpoint-verification: the endpoint is named', async () => {
  const answer = await fetch(
    `${server.origin}/auth/realms/${realm}/.well-known/openid-configuration`,
  )
  expect(await answer.json()).toMatchObject({ end_session_endpoint: server.at(realm, 'logout') })
})

test('oidcc-rp-initiated-logout: with hint, address and state it leads back, signed out', async () => {
  const { id_token, logout, lives } = await session()
  const fields = { id_token_hint: id_token, post_logout_redirect_uri: back(), state: 'x y&z' }
  const answer = await logout(fields)
  expect(new URL(locationOf(answer)).searchParams.get('state')).toBe('x y&z')
  expect(await lives()).toBe(false)
})

test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: an error page, and still signed in', async () => {
  const { id_token, logout, lives } = await session()
  const post_logout_redirect_uri = 'https://foreign.example/post'
  const answer = await logout({ id_token_hint: id_token, post_logout_redirect_uri })
  expect([answer.status, locationOf(answer)]).toEqual([400, ''])
  expect(await lives()).toBe(true)
})

test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: an answer of its own is refused', async () => {
  const { id_token, logout } = await session()
  for (const query of ['?state=1', '?code=1']) {
    const answer = await logout({
      id_token_hint: id_token,
      post_logout_redirect_uri: back() + query,
    })
    expect(answer.status).toBe(400)
  }
})

test('oidcc-rp-initiated-logout-modified-id-token-hint: an altered hint ends nothing', async () => {
  const { id_token, logout, lives } = await session()
  const [head, , signature] = id_token.split('.')
  const other = { ...claimsOf(id_token), sub: 'other' }
  const payload = Buffer.from(JSON.stringify(other)).toString('base64url')
  const hint = `${head}.${payload}.${signature}`
  const answer = await logout({ id_token_hint: hint, post_logout_redirect_uri: back() })
  expect([answer.status, await lives()]).toEqual([400, true])
})

test('oidcc-rp-initiated-logout-bad-id-token-hint: no token at all ends nothing', async () => {
  const { logout, lives } = await session()
  const answer = await logout({ id_token_hint: 'bad', post_logout_redirect_uri: back() })
  expect([answer.status, await lives()]).toEqual([400, true])
})

test('oidcc-rp-initiated-logout-no-id-token-hint: without a hint the person is asked first', async () => {
  const { logout, lives } = await session()
  const fields = { client_id: 'portal', post_logout_redirect_uri: back(), state: 'x' }
  expect((await logout(fields)).status).toBe(200)
  expect(await lives()).toBe(true)
  // Without knowing whose address it is, nobody is led anywhere.
  expect((await logout({ post_logout_redirect_uri: back() })).status).toBe(400)
})

test('oidcc-rp-initiated-logout-no-params: the person is asked, and led nowhere', async () => {
  const { browser, logout, lives } = await session()
  const page = await (await logout({})).text()
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page)?.[1] ?? ''
  const answer = await browser.post(server.at(realm, 'logout/logout-confirm'), { proof })
  expect(locationOf(answer)).toContain('logout-confirm')
  expect(await lives()).toBe(false)
})

test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: signed out, on a page of ours', async () => {
  const { browser, id_token, logout, lives } = await session()
  const answer = await logout({ id_token_hint: id_token, state: 'x' })
  expect((await browser.go(locationOf(answer))).status).toBe(200)
  expect(await lives()).toBe(false)
})

test('oidcc-rp-initiated-logout-no-state: none comes back', async () => {
  const { id_token, logout } = await session()
  const answer = await logout({ id_token_hint: id_token, post_logout_redirect_uri: back() })
  expect(locationOf(answer)).toBe(back())
})

test('oidcc-rp-initiated-logout-only-state: a state alone leads nowhere', async () => {
  const { logout, lives } = await session()
  expect((await logout({ state: 'x' })).status).toBe(200)
  expect(await lives()).toBe(true)
})
