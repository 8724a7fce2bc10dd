import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  fragmentOf,
  goodPassword,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  testBrowser,
  tokensFor,
  type TestBrowser,
} from '../testing.ts'

let server: IdentityTest
const paths = ['/manage/access/login', '/svc/identity/access/login']
const anna = { emi_username: 'anna/nordwerk', emi_password: goodPassword }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
  await server.person('nordwerk', 'lena')
  await server.person('solaris', 'sole')
})
afterAll(() => server.close())

type Fields = Record<string, string>
const login = (fields: Fields, path = paths[0], browser = testBrowser(), headers: Fields = {}) =>
  browser.post(server.origin + path, fields, headers)
const ping = async (browser: TestBrowser) =>
  (await browser.go(`${server.origin}/manage/commands/commands.access.client.ping`)).status
const logout = (browser: TestBrowser, headers: Fields = {}) =>
  browser.post(`${server.origin}/manage/access/logout`, {}, headers)
const isSignedIn = async (browser: TestBrowser, realm = 'nordwerk') => {
  const changes = { prompt: 'none', code_challenge: pkce().challenge }
  const answer = await browser.go(authorizeUrl(server, realm, changes))
  return fragmentOf(locationOf(answer)).has('code')
}

test.each(paths)('the form at %s signs in, keeps alive and signs out [C-39]', async (path) => {
  const browser = testBrowser()
  expect(await ping(browser)).toBe(401)
  const answer = await login({ ...anna, ajax: '1' }, path, browser)
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  const own = answer.headers.getSetCookie().find((one) => one.startsWith('longreach_form='))
  expect(own).toMatch(/HttpOnly; SameSite=Lax/)
  expect(browser.cookies.has('KEYCLOAK_SESSION /auth/realms/nordwerk/')).toBe(true)
  expect(await ping(browser)).toBe(200)
  expect(await isSignedIn(browser)).toBe(true)
  expect((await logout(browser)).status).toBe(302)
  expect(await ping(browser)).toBe(401)
  expect(await isSignedIn(browser)).toBe(false)
})

test('the ping keeps alive the session of an access token, and takes nothing else for one [T-15]', async () => {
  const browser = testBrowser()
  const person = { realm: 'nordwerk', username: 'anna' }
  const { access_token, id_token } = await tokensFor(server, browser, person)
  const ask = async (token: string) =>
    fetch(`${server.origin}/manage/commands/commands.access.client.ping`, {
      headers: { authorization: `Bearer ${token}` },
    })
  expect([(await ask(access_token)).status, await (await ask(access_token)).json()]).toEqual([
    200,
    { alive: true },
  ])
  for (const wrong of [id_token, `${access_token.slice(0, -4)}AAAA`, 'x.y.z', '']) {
    expect((await ask(wrong)).status).toBe(401)
  }
})

test('without a script the form leads to the portal [C-39]', async () => {
  for (const ajax of [undefined, '', 'false', '0']) {
    const answer = await login({ ...anna, ...(ajax !== undefined && { ajax }) })
    expect([answer.status, locationOf(answer)]).toEqual([302, `${server.origin}/`])
  }
})

test('a sign of life keeps the session going, up to its longest life [C-39]', async () => {
  const browser = testBrowser()
  await login(anna, paths[0], browser)
  const left = async (set?: string) => {
    if (set) {
      await server.database.pool.query(
        `update identity.oidc_record set expires_at = now() + interval '60 seconds'
         where model = 'Session'`,
      )
    }
    const { rows } = await server.database.pool.query<{ left: number }>(
      `select max(extract(epoch from expires_at - now()))::int as left
       from identity.oidc_record where model = 'Session'`,
    )
    return rows[0]?.left ?? 0
  }
  expect(await left('short')).toBeLessThanOrEqual(60)
  expect(await ping(browser)).toBe(200)
  expect(await left()).toBeGreaterThan(1700)
})

test('whatever is wrong with name and password, the answer is the same (attack 66)', async () => {
  const answers: unknown[] = []
  for (const emi_username of [
    'anna/nordwerk',
    'nobody/nordwerk',
    'anna/nowhere',
    'anna/solaris',
    'anna/',
    '/nordwerk',
    'a/b/c',
    'anna',
    '',
    'anna/../nordwerk',
    'anna/__proto__',
    "anna' or '1'='1/nordwerk",
    'x'.repeat(5000),
  ]) {
    const answer = await login({ emi_username, emi_password: 'wrong', ajax: '1' })
    answers.push([answer.status, await answer.text()])
  }
  for (const one of answers) expect(one).toEqual(answers[0])
  expect(answers[0]).toMatchObject([401, expect.any(String)])
})

test('the domain decides whose account it is (attack 82)', async () => {
  const browser = testBrowser()
  const sole = { emi_username: 'sole/nordwerk', emi_password: goodPassword, ajax: '1' }
  expect((await login(sole, paths[0], browser)).status).toBe(401)
  await login({ ...sole, emi_username: 'sole/solaris' }, paths[0], browser)
  expect(await isSignedIn(browser, 'solaris')).toBe(true)
  expect(await isSignedIn(browser, 'nordwerk')).toBe(false)
})

test('the domain may be an organization of the person below the root [C-39]', async () => {
  const { sub } = await server.person('nordwerk', 'dario')
  await server.belongs(sub, [
    { id: 9, resourceId: 'nordwerk.alpdrive', name: 'alpdrive', scopes: [] },
  ])
  const as = (domain: string) =>
    login({ emi_username: `dario/${domain}`, emi_password: goodPassword, ajax: '1' })
  expect((await as('nordwerk.alpdrive')).status).toBe(200)
  expect((await as('nordwerk')).status).toBe(200)
  for (const domain of ['nordwerk.elsewhere', 'solaris.alpdrive', 'nordwerk.', '.nordwerk']) {
    expect([domain, (await as(domain)).status]).toEqual([domain, 401])
  }
})

test('the form shares its lock with the sign-in page (attack 82)', async () => {
  const wrong = { emi_username: 'lena/nordwerk', emi_password: 'wrong', ajax: '1' }
  for (let times = 0; times < 5; times++) {
    expect((await login(wrong, paths[times % 2])).status).toBe(401)
  }
  const right = { ...wrong, emi_password: goodPassword }
  const locked = await login(right, paths[1])
  expect(locked.status).toBe(429)
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  const browser = testBrowser()
  const asked = await browser.go(
    authorizeUrl(server, 'nordwerk', { code_challenge: pkce().challenge }),
  )
  const page = await browser.post(locationOf(asked), { username: 'lena', password: goodPassword })
  expect(page.status).toBe(429)
})

test.each(paths)(
  'strangers do not lock out a program that signed in before at %s, and its own guesses count (attack 82)',
  async (path) => {
    const name = `plc-${paths.indexOf(path)}`
    await server.person('nordwerk', name)
    const right = { emi_username: `${name}/nordwerk`, emi_password: goodPassword, ajax: '1' }
    const wrong = { ...right, emi_password: 'wrong' }
    const program = testBrowser()
    expect((await login(right, path, program)).status).toBe(200)
    for (let n = 0; n < 6; n++) await login(wrong, path)
    expect((await login(right, path)).status).toBe(429)
    // The session may have ended long ago; another name's cookie is worth nothing.
    expect((await login(right, path, program)).status).toBe(200)
    const stranger = testBrowser()
    await login({ ...right, emi_username: 'anna/nordwerk' }, path, stranger)
    expect((await login(right, path, stranger)).status).toBe(429)
    const own = []
    for (let n = 0; n < 6; n++) own.push((await login(wrong, path, program)).status)
    expect(own).toEqual([401, 401, 401, 401, 401, 429])
  },
)

test('another site signs nobody in or out (attack 82) (attack 111)', async () => {
  const browser = testBrowser()
  await login(anna, paths[0], browser)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    for (const path of paths) {
      const answer = await login({ ...anna, ajax: '1' }, path, testBrowser(), headers)
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
    }
    expect((await logout(browser, headers)).status).toBe(403)
  }
  expect(await ping(browser)).toBe(200)
  const own = { origin: server.origin, 'sec-fetch-site': 'same-origin' }
  expect((await login({ ...anna, ajax: '1' }, paths[0], testBrowser(), own)).status).toBe(200)
})

test('the form tells no password of an account with a second factor, nor forgives the count (attack 82)', async () => {
  const { sub } = await server.person('nordwerk', 'fiona')
  await server.database.pool.query(
    `insert into identity.authenticator_app (id, sub, label, sealed, last_step, created_at)
     values ($1, $2, 'phone', '', 0, now())`,
    [randomUUID(), sub],
  )
  const fields = { emi_username: 'fiona/nordwerk', emi_password: goodPassword, ajax: '1' }
  const answer = await login(fields)
  const wrong = await login({ ...fields, emi_password: 'quite another phrase 1' })
  expect([answer.status, await answer.json()]).toEqual([wrong.status, await wrong.json()])
  expect(answer.status).toBe(401)
  // Right ones count as the wrong ones do.
  const more = []
  for (let n = 0; n < 4; n++) more.push((await login(fields)).status)
  expect(more).toEqual([401, 401, 401, 429])
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('an account that owes an action does not sign in by the form', async () => {
  const { sub } = await server.person('nordwerk', 'olaf')
  await server.calls.updateAccount({
    params: { sub },
    body: { requiredActions: ['UPDATE_PASSWORD'] },
  })
  const fields = { emi_username: 'olaf/nordwerk', emi_password: goodPassword, ajax: '1' }
  const answer = await login(fields)
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'formWrong' }])
})

test('the cookie is worth nothing altered, and nothing when the session ended elsewhere', async () => {
  const browser = testBrowser()
  await login(anna, paths[0], browser)
  const key = 'longreach_form /manage'
  const good = browser.cookies.get(key) ?? { value: '', path: '/manage' }
  const [realm, uid = '', proof] = good.value.split('.')
  for (const value of [`${realm}.${uid}x.${proof}`, `solaris.${uid}.${proof}`, uid, '', '..']) {
    browser.cookies.set(key, { ...good, value })
    expect(await ping(browser)).toBe(401)
  }
  browser.cookies.set(key, good)
  expect(await ping(browser)).toBe(200)
  const [account] = await server.calls.findAccount({
    query: { realm: 'nordwerk', username: 'anna' },
  })
  await server.calls.updateAccount({
    params: { sub: account?.sub ?? '' },
    body: { password: 'lake-anvil-violet-70' },
  })
  expect(await ping(browser)).toBe(401)
})
