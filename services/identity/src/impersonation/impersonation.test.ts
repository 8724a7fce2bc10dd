import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  claimsOf,
  fragmentOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  redeemCode,
  refresh,
  testBrowser,
  type TestBrowser,
  type Tokens,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
let anna: string
const scopes = ['iam.devices.read']
const by = { sub: 'd0000000-0000-4000-8000-000000000001', username: 'boss@nordwerk' }

beforeAll(async () => {
  server = await identityTest()
  const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes }
  ;({ sub: anna } = await server.person('nordwerk', 'anna', [nordwerk]))
  await server.person('nordwerk', 'otto')
  await server.person('solaris', 'sole')
})
afterAll(() => server.close())

const link = async (body = {}) =>
  (await server.calls.impersonate({ params: { sub: anna }, body: { by, ...body } })).url

/** Tokens of the person who is signed in on this browser, without any page. */
async function silently(browser: TestBrowser): Promise<Tokens | undefined> {
  const { verifier: code_verifier, challenge: code_challenge } = pkce()
  const changes = { prompt: 'none', scope: 'openid org:nordwerk', code_challenge }
  const asked = await browser.go(authorizeUrl(server, 'nordwerk', changes))
  const code = fragmentOf(locationOf(asked)).get('code')
  if (code === null) return undefined
  const redirect_uri = `${server.origin}/`
  const fields = { code, code_verifier, redirect_uri, client_id: 'portal' }
  const answer = await redeemCode(server, 'nordwerk', fields)
  return (await answer.json()) as Tokens
}

async function asAnna(body = {}) {
  const browser = testBrowser()
  const url = await link(body)
  const answer = await browser.post(url, {})
  expect([answer.status, locationOf(answer)]).toEqual([303, `${server.origin}/`])
  return { browser, url }
}

test('a link signs the browser in as the person, and its tokens say who acts', async () => {
  const { browser } = await asAnna()
  const tokens = await silently(browser)
  const actor = {
    sub: anna,
    preferred_username: 'anna@nordwerk',
    act: { sub: by.sub, preferred_username: by.username },
    impersonator: by,
    acr: '1',
  }
  expect(claimsOf(tokens?.access_token ?? '')).toMatchObject(actor)
  const refreshed = await refresh(server, 'nordwerk', {
    refresh_token: tokens?.refresh_token ?? '',
  })
  const next = (await refreshed.json()) as Tokens
  expect(claimsOf(next.access_token)).toMatchObject(actor)
  const ticket = await fetch(server.at('nordwerk', 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      permission: 'nordwerk',
    }),
    headers: { authorization: `Bearer ${next.access_token}` },
  })
  const { access_token } = (await ticket.json()) as Tokens
  expect(claimsOf(access_token)).toMatchObject(actor)
})

test('the session counts as strong only when the administrator was', async () => {
  const { browser } = await asAnna({ secondFactor: true })
  const tokens = await silently(browser)
  expect(claimsOf(tokens?.access_token ?? '')).toMatchObject({ acr: '2', impersonator: by })
})

test('the page asks first and shows both names; looking uses nothing up', async () => {
  const url = await link()
  const browser = testBrowser()
  for (let times = 0; times < 2; times++) {
    const shown = await browser.go(`${url}?kc_locale=de`)
    const text = await shown.text()
    expect(shown.status).toBe(200)
    expect(text).toContain('anna@nordwerk')
    expect(text).toContain('boss@nordwerk')
    expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  }
  expect(await silently(browser)).toBeUndefined()
})

test('a link works once, for two minutes, in its realm', async () => {
  const { url } = await asAnna()
  expect((await testBrowser().post(url, {})).status).toBe(410)
  const fresh = await link()
  const many = await Promise.all([1, 2, 3, 4].map(() => testBrowser().post(fresh, {})))
  expect(many.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410])
  const foreign = (await link()).replace('/nordwerk/', '/solaris/')
  expect((await testBrowser().post(foreign, {})).status).toBe(410)
  const late = await link()
  server.clock.aheadMs = 121_000
  expect((await testBrowser().post(late, {})).status).toBe(410)
  server.clock.aheadMs = 0
  expect((await testBrowser().post(`${late}x`, {})).status).toBe(410)
})

test('the administrator is signed out where they act as somebody', async () => {
  const browser = testBrowser()
  const own = await tokensFor(server, browser, { realm: 'nordwerk', username: 'otto' })
  await browser.post(await link(), {})
  const headers = { authorization: `Bearer ${own.access_token}` }
  expect((await fetch(server.at('nordwerk', 'userinfo'), { headers })).status).toBe(401)
  expect(claimsOf((await silently(browser))?.access_token ?? '')).toMatchObject({ sub: anna })
})

test('who acts as somebody is refused an action on how that person signs in', async () => {
  const { browser } = await asAnna()
  for (const kc_action of ['UPDATE_PASSWORD', 'CONFIGURE_TOTP']) {
    const changes = { kc_action, code_challenge: pkce().challenge }
    const answer = await browser.go(authorizeUrl(server, 'nordwerk', changes))
    expect(fragmentOf(locationOf(answer)).get('error')).toBe('access_denied')
  }
})

test('it ends an hour after it began, however often it is refreshed', async () => {
  const { browser } = await asAnna()
  const tokens = await silently(browser)
  const sid = claimsOf(tokens?.id_token ?? '')['sid']
  await server.database.pool.query(
    `update identity.oidc_record set
     payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - 3500))
     where model = 'Session' and uid = $1`,
    [sid],
  )
  const again = await refresh(server, 'nordwerk', { refresh_token: tokens?.refresh_token ?? '' })
  expect(again.status).toBe(200)
  const { rows } = await server.database.pool.query<{ left: number }>(
    `select extract(epoch from expires_at - now())::int as left from identity.oidc_record
     where model = 'Session' and uid = $1`,
    [sid],
  )
  expect(rows[0]?.left).toBeLessThanOrEqual(101)
})

test('it ends when the administrator is disabled', async () => {
  const boss = await server.person('nordwerk', 'boss')
  const { url } = await server.calls.impersonate({
    params: { sub: anna },
    body: { by: { sub: boss.sub, username: 'boss@nordwerk' } },
  })
  const browser = testBrowser()
  await browser.post(url, {})
  expect(await silently(browser)).toBeDefined()
  await server.calls.updateAccount({ params: { sub: boss.sub }, body: { enabled: false } })
  expect(await silently(browser)).toBeUndefined()
})

test('nobody acts as a program, a disabled person or nobody', async () => {
  const body = { realm: 'nordwerk', username: 'robot', serviceAccount: true }
  const { sub: robot } = await server.calls.createAccount({ body })
  const off = await server.person('nordwerk', 'off')
  await server.calls.updateAccount({ params: { sub: off.sub }, body: { enabled: false } })
  for (const sub of [robot, off.sub, by.sub, 'x']) {
    await expect(server.calls.impersonate({ params: { sub }, body: { by } })).rejects.toMatchObject(
      { status: 404 },
    )
  }
})
