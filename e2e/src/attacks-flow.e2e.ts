import { generateKeyPairSync } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { type AttackBrowser, send } from './attack-http.ts'
import { ageSessions, readToken, signed, writeToken } from './attack-keys.ts'
import {
  attackWorld,
  authorizeUrl,
  bearer,
  codeFor,
  enter,
  formOf,
  fragmentOf,
  landed,
  loginPage,
  mustBe,
  pkce,
  redeem,
  type Tokens,
} from './attack-world.ts'
import { linkIn, testMailServer } from './attack-mail.ts'

const mail = await testMailServer()
const world = attackWorld({}, mail)
afterAll(() => mail.close())
const realm = 'nordwerk'
const challenge = () => pkce().challenge
const ask = (changes: Record<string, string | undefined> = {}) =>
  authorizeUrl(world, realm, { code_challenge: challenge(), ...changes })
/** True when a browser is signed in, checked as the portal does without a page. */
const signedIn = async (browser: AttackBrowser) =>
  fragmentOf((await browser.go(ask({ prompt: 'none' }))).location).has('code')

/** An answer that hands nothing over: an error page here, or an error at the portal's own address. */
async function expectRefused(address: string, what: string) {
  const { status, location } = await send(address)
  if (status === 303 || status === 302) {
    expect([what, location.startsWith(`${world.url()}/`)]).toEqual([what, true])
    expect([what, /[?#&](code|access_token|id_token)=/.test(location)]).toEqual([what, false])
    expect([what, /[?#&]error=/.test(location)]).toEqual([what, true])
    return
  }
  expect([what, status]).toEqual([what, 400])
}

test('attack 21: a redirect address that is not below the portal is shown an error and never gone to', async () => {
  const { port, host } = new URL(world.url())
  const variants = [
    `http://${host}.evil.example/`,
    `http://evil.example/`,
    `https://evil.example/${host}`,
    `http://localhost.evil.example:${port}/`,
    `http://${host}@evil.example/`,
    `http://user@${host}/`,
    `http://user:secret@${host}/`,
    `http://evil.example@${host}@evil.example/`,
    `http://a@b@${host}/`,
    `http://${host}\\@evil.example/`,
    `http:\\\\evil.example/`,
    `http://${host}/\\evil.example`,
    `http://evil.example#${host}/`,
    `http://evil.example/#http://${host}/`,
    `http://${host}\t.evil.example/`,
    `http://${host}/\r\nSet-Cookie: a=b`,
    `http://${host}/\u0000.evil.example`,
    `https://${host}/`,
    `ftp://${host}/`,
    `http://localhost:1/`,
    `http://localhost/`,
    `http://[::1]:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://${host}/%2e%2e/evil`,
    `http://${host}/..;/evil`,
    `http://${host}/%2f%2fevil.example/`,
    `http://${host}/?code=planted`,
    `http://${host}/?state=planted&iss=http://evil.example`,
    `javascript:alert(1)`,
    `data:text/html,<script>alert(1)</script>`,
    `//evil.example/`,
    `/`,
    '',
  ]
  for (const address of variants) {
    const { status, location, text } = await send(ask({ redirect_uri: address }))
    expect([address, status, location]).toEqual([address, 400, ''])
    expect(text).not.toMatch(/href="(https?:)?\/\/(?!localhost)/)
  }
  expect((await send(ask({ client_id: 'nobody' }))).status).toBe(400)
})

test('attack 22: a parameter that comes twice refuses the question and the redemption', async () => {
  const twice = {
    client_id: 'portal',
    redirect_uri: `${world.url()}/`,
    scope: 'openid',
    state: 'another',
    response_type: 'code',
    response_mode: 'query',
    nonce: 'another',
    code_challenge: challenge(),
    code_challenge_method: 'S256',
    prompt: 'none',
  }
  for (const [name, value] of Object.entries(twice)) {
    const again = `&${new URLSearchParams([[name, value], ...(name === 'prompt' ? [[name, value]] : [])])}`
    await expectRefused(`${ask()}${again}`, name)
  }
  for (const name of ['code', 'code_verifier', 'redirect_uri', 'client_id', 'grant_type']) {
    const { fragment, verifier } = await codeFor(world, world.owner)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'portal',
      redirect_uri: `${world.url()}/`,
      code: fragment.get('code') ?? '',
      code_verifier: verifier,
    })
    body.append(name, body.get(name) ?? '')
    const { status } = await send(world.at(realm, 'token'), { body })
    expect([name, status]).toEqual([name, 400])
  }
})

test('attack 23: a code is redeemed for the address that it was made for only', async () => {
  for (const redirect of [`${world.url()}/devices`, world.url(), 'http://evil.example/', '']) {
    const { fragment, verifier } = await codeFor(world, world.owner)
    const answer = await redeem(world, realm, {
      code: fragment.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirect,
    })
    expect([redirect, answer.status]).toEqual([redirect, 400])
  }
})

test('attack 24: a code is nothing without its verifier, and the portal asks for none without a challenge', async () => {
  await expectRefused(ask({ code_challenge: undefined, code_challenge_method: undefined }), 'none')
  await expectRefused(ask({ code_challenge_method: 'plain' }), 'plain')
  await expectRefused(ask({ code_challenge_method: undefined }), 'plain by default')
  await expectRefused(ask({ code_challenge: 'short' }), 'a short one')
  const { challenge: known, verifier } = pkce()
  for (const given of [undefined, pkce().verifier, '', known, `${verifier} `, verifier.slice(1)]) {
    const { fragment } = await codeFor(world, world.owner, { asked: { code_challenge: known } })
    const code = fragment.get('code') ?? ''
    const answer = await redeem(world, realm, { code, code_verifier: given })
    expect([given, answer.status]).toEqual([given, 400])
  }
})

test('attack 25: of eight redemptions at once one at most counts, and what it gave is withdrawn', async () => {
  const { fragment, verifier } = await codeFor(world, world.owner)
  const all = await Promise.all(
    Array.from({ length: 8 }, () =>
      redeem(world, realm, { code: fragment.get('code') ?? '', code_verifier: verifier }),
    ),
  )
  const good = all.filter(({ status }) => status === 200)
  expect(good.length).toBeLessThanOrEqual(1)
  expect(all.filter(({ status }) => status !== 200 && status !== 400)).toEqual([])
  for (const one of good) {
    const renewed = await redeem(world, realm, {
      grant_type: 'refresh_token',
      refresh_token: one.json<Tokens>().refresh_token,
    })
    expect(renewed.status).toBe(400)
  }
})

test('attack 26: the code of one client is nothing to another', async () => {
  const { fragment, verifier } = await codeFor(world, world.owner)
  const code = fragment.get('code') ?? ''
  for (const client of ['corvina-web-portal', 'nextel-mobile-app', 'nobody', '', '__proto__']) {
    const answer = await redeem(world, realm, { code, code_verifier: verifier, client_id: client })
    expect([client, [400, 401].includes(answer.status)]).toEqual([client, true])
  }
  const asOther = await codeFor(world, world.owner, {
    asked: { client_id: 'corvina-web-portal', redirect_uri: 'http://localhost/callback/' },
  })
  const answer = await redeem(world, realm, {
    code: asOther.fragment.get('code') ?? '',
    code_verifier: asOther.verifier,
    redirect_uri: 'http://localhost/callback/',
  })
  expect(answer.status).toBe(400)
})

test('attack 27: no token is ever handed out in an address', async () => {
  const types = ['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'none']
  for (const response_type of [...types, 'code id_token token', '']) {
    for (const response_mode of ['fragment', 'query', undefined]) {
      await expectRefused(ask({ response_type, response_mode }), response_type)
    }
  }
})

test('attack 28: a question inside a token or at another address is refused, and not fetched', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    client_id: 'portal',
    redirect_uri: 'http://evil.example/',
    response_type: 'code',
  }
  const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`
  await expectRefused(ask({ request: unsigned }), 'unsigned')
  const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await expectRefused(ask({ request: signed({ alg: 'RS256' }, claims, ours.privateKey) }), 'signed')
  await expectRefused(ask({ request_uri: `${mail.web.url}/request` }), 'request_uri')
  expect(mail.web.fetched).toEqual([])
})

test('attack 29: signing out leads to the portal only', async () => {
  const { tokens, browser } = await world.signIn(world.owner)
  const { host } = new URL(world.url())
  const foreign = [
    'http://evil.example/',
    `http://${host}.evil.example/`,
    `http://${host}@evil.example/`,
    `//evil.example/`,
    'javascript:alert(1)',
    `http://${host}\\@evil.example`,
  ]
  for (const post_logout_redirect_uri of foreign) {
    for (const more of [{ id_token_hint: tokens.id_token }, { client_id: 'portal' }]) {
      const query = new URLSearchParams({ post_logout_redirect_uri, ...more })
      const { status, location } = await browser.go(`${world.at(realm, 'logout')}?${query}`)
      const said = [post_logout_redirect_uri, status, location]
      expect(said).toEqual([post_logout_redirect_uri, 400, ''])
    }
  }
  expect(await signedIn(browser)).toBe(true)
})

test('attack 30: a hint that was forged, changed or made elsewhere signs nobody out', async () => {
  const { tokens, browser } = await world.signIn(world.owner)
  const paola = await world.signIn(world.rival)
  const { header, claims } = readToken(tokens.id_token)
  const [first = '', , last = ''] = tokens.id_token.split('.')
  const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const hints = [
    signed(header, claims, ours.privateKey),
    writeToken({ ...header, alg: 'none' }, claims, () => ''),
    writeToken(first, { ...claims, exp: 9e9 }, () => last),
    paola.tokens.id_token,
    tokens.access_token,
    'nonsense',
  ]
  for (const id_token_hint of hints) {
    const query = new URLSearchParams({ id_token_hint })
    // With cookies, as a planted link in the person's own browser, and without.
    for (const who of [browser, world.browser()]) {
      await who.go(`${world.at(realm, 'logout')}?${query}`)
    }
    expect([id_token_hint.slice(0, 40), await signedIn(browser)]).toEqual([
      id_token_hint.slice(0, 40),
      true,
    ])
  }
})

test('attack 31: a link to sign out only asks', async () => {
  const { browser } = await world.signIn(world.owner)
  for (const query of ['', '?client_id=portal', `?post_logout_redirect_uri=${world.url()}/`]) {
    const { status } = await browser.go(`${world.at(realm, 'logout')}${query}`)
    expect([query, [200, 303, 400].includes(status)]).toEqual([query, true])
    expect([query, await signedIn(browser)]).toEqual([query, true])
  }
})

test('attack 32: signing out is confirmed with the value of the page only', async () => {
  const { browser } = await world.signIn(world.owner)
  const confirm = world.at(realm, 'logout/logout-confirm')
  await browser.go(world.at(realm, 'logout'))
  const guess = 'A'.repeat(43)
  const wrong = [{}, { proof: '' }, { proof: guess }, { xsrf: guess }, { proof: 'x'.repeat(9999) }]
  for (const fields of wrong) {
    const { status } = await browser.post(confirm, { logout: 'yes', ...fields })
    expect([JSON.stringify(fields), status >= 400]).toEqual([JSON.stringify(fields), true])
    expect(await signedIn(browser)).toBe(true)
  }
  // The value of the attacker's own page is none of the victim's.
  const thief = (await world.signIn(world.owner)).browser
  const page = await thief.go(world.at(realm, 'logout'))
  const { action, fields } = formOf(page.text, confirm)
  expect([action, Object.keys(fields).length]).toEqual([confirm, 1])
  expect((await browser.post(confirm, fields)).status).toBeGreaterThanOrEqual(400)
  expect(await signedIn(browser)).toBe(true)
  expect((await thief.post(action, fields)).status).toBeLessThan(400)
  expect(await signedIn(thief)).toBe(false)
})

test('attack 33: a login form without the cookie of its page signs nobody in', async () => {
  const browser = world.browser()
  const page = await loginPage(browser, ask())
  const stranger = world.browser()
  const sent = await enter(stranger, page, world.owner)
  expect(sent.status).toBeGreaterThanOrEqual(400)
  expect(sent.setCookies.filter((line) => line.startsWith('_session'))).toEqual([])
  expect(await signedIn(stranger)).toBe(false)
  // Nor does the cookie of another page.
  await loginPage(stranger, ask())
  expect((await enter(stranger, page, world.owner)).status).toBeGreaterThanOrEqual(400)
  expect(await signedIn(stranger)).toBe(false)
})

test('attack 34: cookies that were planted before a sign-in are worth nothing after it', async () => {
  const attacker = world.browser()
  await loginPage(attacker, ask())
  const planted = attacker.copy(world.seat())
  const { browser } = await world.signIn(world.owner, { browser: planted })
  expect(await signedIn(browser)).toBe(true)
  expect(await signedIn(attacker)).toBe(false)
  const before = new Map(attacker.cookies().map(({ name, value }) => [name, value]))
  const kept = browser.cookies().filter(({ name, value }) => {
    return /session/i.test(name) && before.get(name) === value
  })
  expect(kept).toEqual([])
  // A second person in the same browser gets a session of their own.
  const bert = await world.person('bert')
  const old = browser.copy()
  await world.signIn(bert, { browser, asked: { prompt: 'login' } })
  const sids = [browser, old].map((one) => one.cookies().find(({ name }) => name === '_session'))
  expect(sids[0]?.value).not.toBe(sids[1]?.value)
})

test('attack 35: a session cookie without its signature, or with another, is none', async () => {
  const { browser } = await world.signIn(world.owner)
  const cookies = browser.cookies().filter(({ name }) => name.startsWith('_session'))
  const ofCookies = (list: { name: string; value: string }[]) =>
    send(ask({ prompt: 'none' }), {
      headers: { cookie: list.map(({ name, value }) => `${name}=${value}`).join('; ') },
    })
  expect((await ofCookies(cookies)).location).toContain('code=')
  const changed = (name: string, value: string) =>
    cookies.map((one) => (one.name === name ? { name, value } : one))
  const forged = [
    cookies.filter(({ name }) => !name.endsWith('.sig')),
    changed('_session.sig', ''),
    changed('_session.sig', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    changed('_session', 'guessed'),
    changed('_session', '__proto__'),
  ]
  for (const list of forged) {
    const { location } = await ofCookies(list)
    expect(location).toContain('error=login_required')
  }
})

/** Header lines with which a caller pretends that the server is another one. */
const poison = (): Record<string, string>[] => [
  { host: 'evil.example' },
  { host: `${new URL(world.url()).host}.evil.example` },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-original-url': 'http://evil.example/', 'x-rewrite-url': 'http://evil.example/' },
  { 'x-forwarded-prefix': '//evil.example', 'x-forwarded-port': '1' },
]

test('attack 36: no header turns discovery, redirects or pages to another host', async () => {
  const address = ask()
  for (const headers of poison()) {
    for (const path of [
      `${world.url()}/auth/realms/${realm}/.well-known/openid-configuration`,
      `${world.url()}/auth/realms/${realm}`,
      address,
      `${world.at(realm, 'logout')}?post_logout_redirect_uri=${world.url()}/`,
      `${world.url()}/`,
      `${world.url()}/svc/core/api/v1/instance`,
      `${world.url()}/svc/core/api/v1/organizations/loginInfo?hostname=evil.example`,
    ]) {
      const { text, headers: told } = await send(path, { headers })
      const everything = text + JSON.stringify(told)
      const said = [path, JSON.stringify(headers)]
      // What was asked for in the address itself may be named; what a header claims may not.
      expect([...said, /https?:\/\/[^"\s]*evil\.example/.test(everything)]).toEqual([
        ...said,
        false,
      ])
    }
  }
})

test('attack 37: no header turns the link in a mail to another host', async () => {
  const forgotten = `${world.url()}/auth/realms/${realm}/login-actions/reset-credentials`
  for (const [at, headers] of poison().entries()) {
    const { username } = await world.person(`gisela${at}`, { email: `gisela${at}@nordwerk.test` })
    const from = world.seat()
    await send(forgotten, { from, headers, body: new URLSearchParams({ username }) })
    const taken = await mail.mailTo(`gisela${at}@nordwerk.test`)
    expect(taken.text).not.toContain('evil.example')
    expect(linkIn(taken)).toMatch(new RegExp(`^${world.url()}/`))
  }
  for (const [at, headers] of poison().entries()) {
    const email = `guest${at}@nordwerk.test`
    const body = { username: `guest${at}`, email, passwordChangeInvitation: true }
    const { status } = await world.asOwner('organizations/nordwerk/users', { headers, body })
    expect(status).toBe(201)
    const { text } = await mail.mailTo(email)
    expect(text).not.toContain('evil.example')
    expect(text).toContain(`${world.url()}/`)
  }
})

test('attack 38: a silent question for a sign-in of this second ends with an answer, not in a loop', async () => {
  const { browser } = await world.signIn(world.owner)
  for (const max_age of ['0', '-1', '1e9', 'x']) {
    const { status, location } = await browser.go(ask({ prompt: 'none', max_age }))
    if (status === 303) expect(location.startsWith(`${world.url()}/#`)).toBe(true)
    else expect([max_age, status]).toEqual([max_age, 400])
    if (max_age === '0') expect(fragmentOf(location).get('error')).toBe('login_required')
  }
  expect((await browser.go(ask({ prompt: 'none login' }))).location).toContain('error=')
  expect(await signedIn(browser)).toBe(true)
})

test('attack 39: an unknown action is refused, and one that changes a sign-in asks who is there first', async () => {
  for (const action of ['DELETE_ACCOUNT', 'update_password', '__proto__', 'CONFIGURE_TOTP,x', '']) {
    const { status, location } = await send(ask({ kc_action: action }))
    const page = location === '' ? '' : new URL(location).pathname
    const harmless = status === 400 || location.includes('error=') || action === ''
    expect([action, page, harmless]).toEqual([action, page, true])
  }
  for (const action of ['CONFIGURE_TOTP', 'UPDATE_PASSWORD']) {
    const stranger = await loginPage(world.browser(), ask({ kc_action: action }))
    expect(stranger.html).toContain('autocomplete="current-password"')
    const { browser } = await world.signIn(world.owner)
    const silent = await browser.go(ask({ kc_action: action, prompt: 'none' }))
    expect(silent.location).toContain('error=')
    await ageSessions(world.server(), realm, 3600)
    const old = await loginPage(browser, ask({ kc_action: action }))
    expect(old.html).toContain('autocomplete="current-password"')
    expect(old.html).not.toMatch(/autocomplete="(new-password|one-time-code)"/)
  }
})

test('attack 40: two sign-ins in two tabs, finished crosswise, keep to their own question', async () => {
  const cleo = await world.person('cleo')
  const dirk = await world.person('dirk')
  const browser = world.browser()
  const tabs = [cleo, dirk].map((who) => ({ who, ...pkce(), state: `of ${who.username}` }))
  const pages = []
  for (const { challenge: code_challenge, state } of tabs) {
    pages.push(await loginPage(browser, ask({ code_challenge, state })))
  }
  const done = []
  // The last one opened is the first one sent.
  for (const at of [1, 0]) {
    const { who, state, verifier } = tabs[at]!
    const sent = await enter(browser, pages[at]!, who)
    mustBe(303, sent)
    const { fragment } = await landed(browser, sent)
    expect([who.username, fragment.get('state')]).toEqual([who.username, state])
    done.push({ who, verifier, code: fragment.get('code') ?? '' })
  }
  const [dirks, cleos] = [done[0]!, done[1]!]
  const crossed = await redeem(world, realm, { code: dirks.code, code_verifier: cleos.verifier })
  expect(crossed.status).toBe(400)
  const good = await redeem(world, realm, { code: cleos.code, code_verifier: cleos.verifier })
  mustBe(200, good)
  expect(readToken(good.json<Tokens>().access_token).claims['sub']).toBe(cleo.sub)
  // The first person who signed in with this browser no longer exists.
  const { code, verifier: code_verifier } = dirks
  expect((await redeem(world, realm, { code, code_verifier })).status).toBe(400)
})

test('attack 41: no other origin reads an answer, neither by preflight nor as "null"', async () => {
  const { tokens } = await world.signIn(world.owner)
  const foreign = [
    'http://evil.example',
    'null',
    `${world.url()}.evil.example`,
    `${world.url()}:1`,
    world.url().replace('http:', 'https:'),
    'http://localhost',
    'file://',
  ]
  const doors = [
    world.at(realm, 'token'),
    world.at(realm, 'userinfo'),
    world.account(realm),
    world.core('users/mine'),
    world.core(`organizations/${realm}/users`),
  ]
  for (const origin of foreign) {
    for (const address of doors) {
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      }
      const preflight = await send(address, { method: 'OPTIONS', headers: asked })
      const plain = await send(address, bearer(tokens.access_token, { headers: { origin } }))
      for (const { headers } of [preflight, plain]) {
        const allowed = headers['access-control-allow-origin']
        const said = [origin, address]
        expect([...said, allowed]).toEqual([...said, undefined])
        expect([...said, headers['access-control-allow-credentials']]).toEqual([...said, undefined])
      }
    }
  }
  const own = await send(world.at(realm, 'userinfo'), { headers: { origin: world.url() } })
  expect(own.headers['access-control-allow-origin']).toBe(world.url())
})
