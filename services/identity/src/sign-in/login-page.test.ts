import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  goodPassword,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  signInTo,
  testBrowser,
} from '../testing.ts'

let server: IdentityTest
const minute = 60_000

beforeAll(async () => {
  server = await identityTest()
  for (const name of ['anna', 'bert', 'cleo', 'dora']) await server.person('nordwerk', name)
  await server.person('solaris', 'anna')
})
afterAll(() => server.close())

const begin = async (browser = testBrowser(), changes = {}) => {
  const url = authorizeUrl(server, 'nordwerk', { code_challenge: pkce().challenge, ...changes })
  return { browser, page: locationOf(await browser.go(url)) }
}
const tryIn = async (username: string, password: string, realm = 'nordwerk') => {
  const changes = { code_challenge: pkce().challenge }
  const { status, body } = await signInTo(server, testBrowser(), {
    realm,
    username,
    password,
    changes,
  })
  return { status, alert: /role="alert"[^>]*>.*?<span>([^<]*)/s.exec(body)?.[1] }
}

test('people sign in by name, in any case, with or without the realm', async () => {
  for (const username of ['anna', 'Anna', 'anna@nordwerk', ' ANNA@Nordwerk ']) {
    expect((await tryIn(username, goodPassword)).status).toBe(303)
  }
  expect((await tryIn('anna@solaris', goodPassword)).status).toBe(200)
})

test('an unknown name and a wrong password get the same answer', async () => {
  const wrong = await tryIn('bert', 'not-the-password')
  const unknown = await tryIn('nobody', 'not-the-password')
  expect(wrong).toEqual({ status: 200, alert: 'Incorrect user name or password.' })
  expect(unknown).toEqual(wrong)
  await server.calls.updateAccount({
    params: { sub: (await account('dora')).sub },
    body: { enabled: false },
  })
  expect(await tryIn('dora', goodPassword)).toEqual(wrong)
  expect(await tryIn('dora', `${goodPassword}x`)).toEqual(wrong)
  expect(await tryIn('bert', 'x'.repeat(600))).toEqual(wrong)
})

const account = async (username: string) => {
  const [found] = await server.calls.findAccount({ query: { realm: 'nordwerk', username } })
  return found!
}

test('after five wrong passwords the right one is refused too, for a growing time, never for good', async () => {
  for (let n = 0; n < 5; n++) expect((await tryIn('cleo', 'wrong')).status).toBe(200)
  const locked = await tryIn('cleo', goodPassword)
  expect(locked).toEqual({ status: 429, alert: 'Too many attempts. Try again in 1 min.' })
  expect((await tryIn('cleo@nordwerk', goodPassword)).status).toBe(429)
  expect((await tryIn('CLEO', goodPassword)).status).toBe(429)
  server.clock.aheadMs += minute
  expect((await tryIn('cleo', 'wrong')).status).toBe(200)
  server.clock.aheadMs += minute
  expect((await tryIn('cleo', goodPassword)).status).toBe(429)
  server.clock.aheadMs += minute
  expect((await tryIn('cleo', goodPassword)).status).toBe(303)
  expect((await tryIn('cleo', 'wrong')).status).toBe(200)
})

test('a name that nobody has is locked just the same, and only in its realm', async () => {
  for (let n = 0; n < 5; n++) await tryIn('ghost', 'wrong')
  expect((await tryIn('ghost', 'wrong')).status).toBe(429)
  expect((await tryIn('ghost', 'wrong', 'solaris')).status).toBe(200)
})

test('twelve wrong passwords at the same moment get five looks at the account', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => tryIn('bert2', 'wrong')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
})

test('the sign-in form needs the browser that began, and its own interaction (attack 33)', async () => {
  const { browser, page } = await begin()
  const stranger = await testBrowser().post(page, { username: 'anna', password: goodPassword })
  expect(stranger.status).toBe(400)
  const other = await begin()
  const crossed = await browser.post(other.page, { username: 'anna', password: goodPassword })
  expect(crossed.status).toBe(400)
  const right = await browser.post(page, { username: 'anna', password: goodPassword })
  expect(right.status).toBe(303)
})

test('two sign-ins in two tabs end each where it began (attack 40)', async () => {
  const browser = testBrowser()
  const one = await begin(browser, { state: 'one' })
  const two = await begin(browser, { state: 'two' })
  for (const [page, state] of [
    [two.page, 'two'],
    [one.page, 'one'],
  ] as const) {
    const sent = await browser.post(page, { username: 'anna', password: goodPassword })
    expect(locationOf(await browser.go(locationOf(sent)))).toContain(`state=${state}`)
  }
})

test('the page has no inline script or style, and a policy that lets nothing foreign in', async () => {
  const { browser, page } = await begin()
  const answer = await browser.go(page)
  const html = await answer.text()
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/auth/resources/passkey.js" defer>'])
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  const ofOrganizations = server.origin.replace('//', '//*.')
  expect(policy).toContain(
    `form-action 'self' ${server.origin} ${ofOrganizations} http://localhost`,
  )
  expect(policy).toContain("script-src 'self';")
  expect(answer.headers.get('cache-control')).toBe('no-store')
  for (const [, url = ''] of html.matchAll(/(?:src|href|action)="([^"]+)"/g)) {
    expect(new URL(url, server.origin).origin).toBe(server.origin)
  }
  const css = /href="(\/auth\/resources\/page\.css[^"]*)"/.exec(html)?.[1] ?? ''
  const style = await browser.go(server.origin + css)
  expect(style.headers.get('content-type')).toContain('text/css')
  // The portal's own font, from the same origin.
  expect(await style.text()).toContain("src: url('/fonts/inter.woff2')")
  expect(policy).toContain("font-src 'self';")
})

test('the page ties labels to fields, says what is wrong and where the others sign in', async () => {
  const { browser, page } = await begin(testBrowser(), { login_hint: 'anna"><script>' })
  const html = await (await browser.go(page)).text()
  expect(html).toContain('value="anna&quot;&gt;&lt;script&gt;"')
  for (const id of ['username', 'password']) {
    expect(html).toContain(`<label for="${id}">`)
    expect(html).toMatch(new RegExp(`<input\\s+id="${id}"`))
  }
  expect(html).toContain('autocomplete="username"')
  expect(html).toContain('autocomplete="current-password"')
  expect(html).toContain(`href="${server.origin}/login?choose"`)
  const again = await browser.post(page, { username: '<b>x</b>', password: 'y' })
  const body = await again.text()
  expect(body).toContain('role="alert"')
  expect(body).toContain('aria-invalid="true"')
  expect(body).toContain('value="&lt;b&gt;x&lt;/b&gt;"')
})

test.each([
  [{ ui_locales: 'xx de' }, {}, 'de'],
  [{ kc_locale: 'es' }, {}, 'es'],
  [{}, { cookie: 'a=b; cc2locale=fr-FR' }, 'fr'],
  [{}, { 'accept-language': 'nl, it;q=0.8, en;q=0.3' }, 'it'],
  [{ kc_locale: 'it' }, { cookie: 'cc2locale=fr' }, 'it'],
  [{}, {}, 'en'],
])('asked with %j and %j the page is in the right language', async (changes, headers, language) => {
  const { browser, page } = await begin(testBrowser(), changes)
  const own = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
  const cookie = [...own, (headers as { cookie?: string }).cookie].filter(Boolean).join('; ')
  const html = await (await browser.go(page, { headers: { ...headers, cookie } })).text()
  expect(html).toContain(`<html lang="${language}">`)
  const chosen = await browser.go(`${page}?kc_locale=de`)
  expect(await chosen.text()).toContain('Benutzername')
})

test.each([
  ['idle', 'en', 'You were signed out after 30 minutes without activity.'],
  ['longest', 'en', 'You were signed out 10 hours after you signed in.'],
  ['tab', 'de', 'Sie wurden in einem anderen Tab dieses Browsers abgemeldet.'],
  ['ended', 'en', 'Your session was ended on another device or by an administrator.'],
])('the sign-in page says why the session ended: %s (%s)', async (reason, language, text) => {
  const { browser, page } = await begin(testBrowser(), {
    signed_out: reason,
    login_hint: 'anna',
    ui_locales: language,
  })
  const body = await (await browser.go(page)).text()
  expect(body).toContain(`<span>${text}</span>`)
  expect(body).toMatch(/name="username"\s+value="anna"/)
})

test('an unknown reason is not shown', async () => {
  const { browser, page } = await begin(testBrowser(), { signed_out: '<b>pay</b>' })
  const body = await (await browser.go(page)).text()
  expect(body).not.toContain('pay')
  expect(body).not.toContain('class="note"')
})
