import { serviceOf } from '@longreach/kit/testing'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { defineContract } from '@longreach/kit/contract'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { testChromium } from '../chromium-testing.ts'
import { goodPassword, identityTest, type IdentityTest } from '../testing.ts'

// What the unmodified adapter does against these pages and endpoints, one behaviour a test.

const adapter = createRequire(import.meta.url).resolve('keycloak-js')

const application = `<!doctype html><title>…</title><script type="module">
import Keycloak from '/keycloak.js'
const asked = JSON.parse(sessionStorage.getItem('asked') ?? 'null')
window.happened = []
window.make = (config) => {
  const keycloak = new Keycloak(config ?? { url: '/auth', realm: 'nordwerk', clientId: 'portal' })
  for (const name of ['Ready', 'AuthSuccess', 'AuthError', 'AuthRefreshSuccess', 'AuthRefreshError', 'AuthLogout', 'TokenExpired', 'ActionUpdate']) {
    keycloak['on' + name] = (value) => window.happened.push([name, value ?? null])
  }
  return (window.keycloak = keycloak)
}
if (asked) {
  const init = { pkceMethod: 'S256', checkLoginIframe: false, redirectUri: location.origin + '/', ...asked.init }
  make(asked.config).init(init).then(
    (signedIn) => (document.title = signedIn ? 'in' : 'out'),
    (error) => (document.title = 'failed: ' + (error?.error ?? error?.message ?? error)))
} else document.title = 'idle'
</script>`
const silentPage = `<!doctype html><script src="/silent.js"></script>`
const silentScript = `parent.postMessage(location.href, location.origin)`

const portal = serviceOf<object>()({
  contract: defineContract({ service: 'page', base: '/page', errors: {}, endpoints: {} }),
  migrations: new URL('.', import.meta.url),
  handlers: () => ({}),
  mount: async (app) => {
    const source = await readFile(adapter, 'utf8')
    app.get('/', (_, reply) => reply.type('text/html').send(application))
    app.get('/deep/link', (_, reply) => reply.type('text/html').send(application))
    app.get('/silent.html', (_, reply) => reply.type('text/html').send(silentPage))
    app.get('/silent.js', (_, reply) => reply.type('text/javascript').send(silentScript))
    app.get('/keycloak.js', (_, reply) => reply.type('text/javascript').send(source))
    app.get('/keycloak.json', (_, reply) =>
      reply.send({ 'auth-server-url': '/auth', realm: 'nordwerk', resource: 'portal' }),
    )
  },
})

let server: IdentityTest
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  server = await identityTest(portal)
  const scopes = ['iam.devices.read']
  await server.person('nordwerk', 'anna', [{ id: 7, resourceId: 'nordwerk', name: 'N', scopes }])
  browser = await testChromium('--test-third-party-cookie-phaseout')
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-US' })
  page = await context.newPage()
})
afterEach(() => context.close())

type Asked = { init?: Record<string, unknown>; config?: unknown }
type Adapter = Record<string, never> & {
  token: string
  refreshToken: string
  idToken: string
  tokenParsed: Record<string, unknown>
  authenticated: boolean
} & Record<string, (...args: unknown[]) => never>
declare global {
  // What the application puts into its window, seen loosely.
  var application: { keycloak: Adapter; happened: [string, unknown][] }
}

const signedIn = () =>
  context.request.post(`${server.origin}/manage/access/login`, {
    form: { emi_username: 'anna/nordwerk', emi_password: goodPassword, ajax: '1' },
  })

/** Start the application with these options; wait until it settled, or shows the sign-in page. */
async function start({ init = {}, config }: Asked = {}, path = '/') {
  await page.goto(`${server.origin}/silent.html`)
  const asked = JSON.stringify({ init, config })
  await page.evaluate((text) => sessionStorage.setItem('asked', text), asked)
  await page.goto(server.origin + path)
  return settled()
}
async function settled() {
  await page.waitForFunction(
    () => /^(in|out|failed.*)$/.test(document.title) || location.pathname.includes('login-actions'),
  )
  return page.url().includes('login-actions') ? 'sign-in page' : page.title()
}
/** Run an expression over `kc` and `happened` in the application. */
const of = <T>(expression: string): Promise<T> =>
  page.evaluate(`(async (kc, happened) => (${expression}))(window.keycloak, window.happened)`)
const fillIn = async () => {
  await page.getByLabel('User name').fill('anna')
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.includes('login-actions'))
  return settled()
}
const required = { onLoad: 'login-required' }
const sso = { onLoad: 'check-sso' }
const silent = () => ({ ...sso, silentCheckSsoRedirectUri: `${server.origin}/silent.html` })

test('without a session, a required sign-in shows the page and comes back signed in', async () => {
  expect(await start({ init: required })).toBe('sign-in page')
  expect(await fillIn()).toBe('in')
  expect(await of('happened.map(([name]) => name)')).toEqual(['AuthSuccess', 'Ready'])
})

test('the code does not stay in the address', async () => {
  await signedIn()
  await start({ init: required })
  expect(page.url()).toBe(`${server.origin}/`)
})

test('without onLoad nobody is signed in, and nothing is shown', async () => {
  await signedIn()
  expect(await start()).toBe('out')
  expect(await of('happened')).toEqual([['Ready', false]])
})

test.each([
  ['check-sso', () => sso],
  ['check-sso in a frame', silent],
])('%s finds no session and says so', async (_, init) => {
  expect(await start({ init: init() })).toBe('out')
  expect(await of('kc.authenticated')).toBe(false)
})

test.each([
  ['check-sso', () => sso],
  ['check-sso in a frame', silent],
  ['a required sign-in', () => required],
])('%s finds the session', async (_, init) => {
  await signedIn()
  expect(await start({ init: init() })).toBe('in')
})

test.each(['fragment', 'query'])('answers come in the %s', async (responseMode) => {
  await signedIn()
  expect(await start({ init: { ...required, responseMode } })).toBe('in')
})

test('the implicit flow is refused', async () => {
  await signedIn()
  expect(await start({ init: { ...required, flow: 'implicit' } })).toMatch(/failed|out/)
})

test('the hybrid flow is refused', async () => {
  await signedIn()
  expect(await start({ init: { ...required, flow: 'hybrid' } })).toMatch(/failed|out/)
})

test('without a proof key the portal is refused', async () => {
  await signedIn()
  expect(await start({ init: { ...required, pkceMethod: false } })).toMatch(/failed/)
})

test('without a nonce it works too', async () => {
  await signedIn()
  expect(await start({ init: { ...required, useNonce: false } })).toBe('in')
})

test('an answer with another nonce than was asked with clears the tokens [X-04]', async () => {
  await signedIn()
  await page.route('**/protocol/openid-connect/auth?*', (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('nonce', '00000000-0000-4000-8000-000000000000')
    return route.continue({ url: url.href })
  })
  expect(await start({ init: sso })).toBe('failed: Invalid nonce.')
  expect(await of('[kc.authenticated, kc.token ?? null, kc.idToken ?? null]')).toEqual([
    false,
    null,
    null,
  ])
  await page.unrouteAll()
  expect(await start({ init: sso })).toBe('in')
})

test('init twice is refused by the adapter', async () => {
  await start()
  expect(await of(`kc.init({}).then(() => 'yes', (error) => error.message)`)).toContain('once')
})

test('tokens that are kept sign in without asking', async () => {
  await signedIn()
  await start({ init: required })
  const kept = await of<Record<string, string>>(
    '({ token: kc.token, refreshToken: kc.refreshToken, idToken: kc.idToken })',
  )
  expect(await start({ init: kept })).toBe('in')
})

test('a fresh token is not refreshed, an old one is', async () => {
  await signedIn()
  await start({ init: required })
  expect(await of('kc.updateToken(5)')).toBe(false)
  const before = await of('kc.refreshToken')
  expect(await of('kc.updateToken(-1)')).toBe(true)
  expect(await of('kc.refreshToken')).not.toBe(before)
  expect(await of('happened.map(([name]) => name)')).toContain('AuthRefreshSuccess')
})

test('a refresh after the session ended clears the tokens [X-04]', async () => {
  await signedIn()
  await start({ init: sso })
  await context.request.post(`${server.origin}/manage/access/logout`)
  expect(await of(`kc.updateToken(-1).then(() => 'yes', () => 'no')`)).toBe('no')
  expect(await of('kc.token ?? null')).toBeNull()
  expect(await of('happened.map(([name]) => name)')).toEqual(
    expect.arrayContaining(['AuthRefreshError', 'AuthLogout']),
  )
})

test('a token that runs out is told', async () => {
  await signedIn()
  await start({ init: required })
  // As if this browser's clock were more than the token's five minutes away: the adapter finds it run
  // out as soon as it has it, before it asks for another.
  await start({
    init: {
      ...(await of<object>('({ token: kc.token, refreshToken: kc.refreshToken })')),
      timeSkew: -301,
    },
  })
  await page.waitForFunction(`window.happened.some(([name]) => name === 'TokenExpired')`)
})

test('user info and profile are read', async () => {
  await signedIn()
  await start({ init: required })
  expect(await of('kc.loadUserInfo()')).toMatchObject({ preferred_username: 'anna@nordwerk' })
  expect(await of('kc.loadUserProfile()')).toMatchObject({ username: 'anna' })
})

test('what the tokens say is parsed', async () => {
  await signedIn()
  await start({ init: required })
  const facts = await of<Record<string, unknown>>(
    `({ subject: kc.subject, session: kc.sessionId, realm: kc.realmAccess, resource: kc.resourceAccess,
        typ: kc.tokenParsed.typ, skew: kc.timeSkew, nonce: kc.idTokenParsed.nonce })`,
  )
  expect(facts).toMatchObject({ realm: { roles: [] }, resource: {}, typ: 'Bearer' })
  for (const name of ['subject', 'session', 'nonce']) expect(facts[name]).toBeTypeOf('string')
  expect(Math.abs(Number(facts['skew']))).toBeLessThan(60)
  expect(await of(`kc.hasRealmRole('admin') || kc.hasResourceRole('x', 'portal')`)).toBe(false)
  expect(await of('[kc.isTokenExpired(), kc.isTokenExpired(100000)]')).toEqual([false, true])
})

test('a scope of init is in the token', async () => {
  await signedIn()
  await start({ init: { ...required, scope: 'org:nordwerk app:*' } })
  expect(await of('kc.tokenParsed.scope')).toBe('openid org:nordwerk app:* profile email')
  expect(await of('kc.tokenParsed.authorization.permissions[0].rsname')).toBe('nordwerk')
})

test('clearToken forgets and tells', async () => {
  await signedIn()
  await start({ init: required })
  expect(await of('(kc.clearToken(), [kc.authenticated, happened.at(-1)[0]])')).toEqual([
    false,
    'AuthLogout',
  ])
})

/** Call a method that leads away, and wait for where it leads. */
async function leaving(call: string) {
  await page.evaluate(`void (window.keycloak.${call})`)
  await page.waitForURL((url) => url.pathname.includes('login-actions'))
}

test('prompt=login shows the page though there is a session', async () => {
  await signedIn()
  await start({ init: required })
  await leaving(`login({ prompt: 'login' })`)
  expect(await fillIn()).toBe('in')
})

test('prompt=none without a session comes back signed out', async () => {
  await start()
  await page.evaluate(
    `void window.keycloak.login({ prompt: 'none', redirectUri: location.origin + '/' })`,
  )
  await page.waitForURL((url) => url.href === `${server.origin}/`)
  expect(await settled()).toBe('out')
})

test('maxAge asks a person who signed in long ago again', async () => {
  await signedIn()
  await start({ init: required })
  await server.database.pool.query(
    `update identity.oidc_record set payload = jsonb_set(payload, '{loginTs}',
     to_jsonb(extract(epoch from now())::bigint - 100)) where model = 'Session'`,
  )
  await leaving('login({ maxAge: 10 })')
})

test('a login hint is filled in', async () => {
  await start()
  await leaving(`login({ loginHint: 'anna@nordwerk' })`)
  expect(await page.getByLabel('User name').inputValue()).toBe('anna@nordwerk')
})

test.each(['de', 'es', 'fr', 'it'])('the page speaks %s when asked', async (locale) => {
  await start()
  await leaving(`login({ locale: '${locale}' })`)
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale)
})

test.each(['UPDATE_PASSWORD', 'CONFIGURE_TOTP'])(
  'the action %s leads to its page',
  async (action) => {
    await signedIn()
    await start({ init: required })
    await leaving(`login({ action: '${action}' })`)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.toBe('')
  },
)

test('the redirect address keeps its query and fragment', async () => {
  await signedIn()
  const redirectUri = `${server.origin}/deep/link?tab=values#/devices/7`
  expect(await start({ init: { ...required, redirectUri } }, '/deep/link')).toBe('in')
  expect(page.url()).toBe(redirectUri)
})

test('a foreign redirect address is refused on a page', async () => {
  await start()
  await page.evaluate(`void window.keycloak.login({ redirectUri: 'https://foreign.example/' })`)
  await page.waitForURL((url) => url.pathname.endsWith('/auth'))
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(
    'Something went wrong',
  )
})

test.each(['GET', 'POST'])('signing out by %s ends the session', async (logoutMethod) => {
  await signedIn()
  await start({ init: required })
  const gone = page.waitForResponse((answer) => answer.url().includes('/logout'))
  await page.evaluate(
    `void window.keycloak.logout({ logoutMethod: '${logoutMethod}', redirectUri: location.origin + '/' })`,
  )
  await gone
  await page.getByLabel('User name').waitFor()
})

test('addresses for sign-out, account and registration are of this realm', async () => {
  await signedIn()
  await start({ init: required })
  const realm = `/auth/realms/nordwerk`
  expect(await of('kc.createLogoutUrl()')).toContain(`${realm}/protocol/openid-connect/logout?`)
  expect(await of('kc.createAccountUrl()')).toContain(`${realm}/account`)
  expect(await of('kc.createRegisterUrl()')).toContain(`${realm}/protocol/openid-connect/`)
})

test('the session frame stays quiet while the session lives', async () => {
  await signedIn()
  const init = { ...required, checkLoginIframe: true, checkLoginIframeInterval: 1 }
  expect(await start({ init })).toBe('in')
  const frame = page.frames().find((one) => one.url().includes('login-status-iframe'))
  expect(frame).toBeDefined()
  await page.waitForFunction('performance.now() > 2500')
  expect(await of('happened.map(([name]) => name)')).not.toContain('AuthLogout')
})

test.each([
  ['does not answer', (route: Route) => route.abort('connectionrefused')],
  ['is starting', (route: Route) => route.fulfill({ status: 503 })],
])('the session frame ends no session because the server %s', async (_, refuse) => {
  await signedIn()
  let asked = 0
  await context.route('**/login-status-iframe.html/init?*', (route) => {
    asked++
    return refuse(route)
  })
  const init = { ...required, checkLoginIframe: true, checkLoginIframeInterval: 1 }
  expect(await start({ init })).toBe('in')
  await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(1)
  expect(await of('happened.map(([name]) => name)')).not.toContain('AuthLogout')
})

test('the session frame hears of a sign-out elsewhere', async () => {
  await signedIn()
  const init = { ...sso, checkLoginIframe: true, checkLoginIframeInterval: 1 }
  expect(await start({ init })).toBe('in')
  const other = await context.newPage()
  const hint = await of<string>('kc.idToken')
  const way = '/auth/realms/nordwerk/protocol/openid-connect/logout'
  await other.goto(`${server.origin}${way}?${new URLSearchParams({ id_token_hint: hint })}`)
  await page.waitForFunction(`window.happened.some(([name]) => name === 'AuthLogout')`)
})

test('the configuration may be a file', async () => {
  await signedIn()
  expect(await start({ init: required, config: '/keycloak.json' })).toBe('in')
})

test('the adapter works as with any OpenID provider, by discovery', async () => {
  await signedIn()
  const oidcProvider = `${server.origin}/auth/realms/nordwerk`
  expect(await start({ init: required, config: { clientId: 'portal', oidcProvider } })).toBe('in')
})

test('an unknown client and an unknown realm sign nobody in', async () => {
  await signedIn()
  await page.goto(`${server.origin}/`)
  for (const config of [
    { url: '/auth', realm: 'nordwerk', clientId: 'other' },
    { url: '/auth', realm: 'nowhere', clientId: 'portal' },
  ]) {
    await page.evaluate((one) => sessionStorage.setItem('asked', JSON.stringify(one)), {
      init: required,
      config,
    })
    const answer = page.waitForResponse((one) => one.url().includes('/openid-connect/auth?'))
    await page.goto(`${server.origin}/`)
    expect((await answer).status()).toBeGreaterThanOrEqual(400)
    await page.goto(`${server.origin}/silent.html`)
  }
})
