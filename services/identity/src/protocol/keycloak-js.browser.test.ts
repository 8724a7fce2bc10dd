import { serviceOf } from '@longreach/kit/testing'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { defineContract } from '@longreach/kit/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testChromium } from '../chromium-testing.ts'
import { goodPassword, identityTest, type IdentityTest } from '../testing.ts'

const adapter = createRequire(import.meta.url).resolve('keycloak-js')

/** A page as the portal's: the unmodified adapter, with what happened to it in view. */
const portalPage = `<!doctype html><title>Portal</title><script type="module">
import Keycloak from '/keycloak.js'
const keycloak = (window.keycloak = new Keycloak({ url: '/auth', realm: 'nordwerk', clientId: 'portal' }))
window.happened = []
keycloak.onAuthLogout = () => window.happened.push('logout')
const scope = sessionStorage.getItem('scope') ?? undefined
const onLoad = sessionStorage.getItem('onLoad') ?? 'login-required'
window.ready = keycloak.init({
  onLoad, scope, pkceMethod: 'S256', checkLoginIframe: true, checkLoginIframeInterval: 1,
  redirectUri: location.origin + '/',
}).then((signedIn) => (document.title = signedIn ? 'in' : 'out'), (error) => (document.title = 'failed ' + error))
</script>`

const portal = serviceOf<object>()({
  contract: defineContract({ service: 'page', base: '/page', errors: {}, endpoints: {} }),
  migrations: new URL('.', import.meta.url),
  handlers: () => ({}),
  mount: async (app) => {
    const source = await readFile(adapter, 'utf8')
    app.get('/', (_, reply) => reply.type('text/html').send(portalPage))
    app.get('/keycloak.js', (_, reply) => reply.type('text/javascript').send(source))
  },
})

let server: IdentityTest
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  server = await identityTest(portal)
  const scopes = ['iam.devices.read']
  await server.person('nordwerk', 'anna', [{ id: 7, resourceId: 'nordwerk', name: 'N', scopes }])
  browser = await testChromium()
  context = await browser.newContext({ locale: 'de-DE' })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const titled = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, title)

type Adapter = {
  token: string
  refreshToken: string
  tokenParsed: Record<string, unknown>
  updateToken: (seconds: number) => Promise<boolean>
  loadUserInfo: () => Promise<Record<string, unknown>>
  loadUserProfile: () => Promise<Record<string, unknown>>
  logout: (options: { redirectUri: string }) => Promise<void>
}
declare global {
  // What the test page puts into its window.
  var keycloak: Adapter
  var happened: string[]
}

test('unmodified keycloak-js signs in, refreshes, and one tab that signs out ends the other [C-40] [T-15] [N-05]', async () => {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/content security|refused/i.test(message.text())) complaints.push(message.text())
  })
  await page.addInitScript(() => sessionStorage.setItem('scope', 'org:nordwerk app:*'))
  await page.goto(`${server.origin}/`)
  await page.getByLabel('Benutzername').fill('anna')
  await page.getByLabel('Passwort').fill('not the password')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Passwort').fill(goodPassword)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await titled(page, 'in')
  expect(await page.evaluate(() => keycloak.tokenParsed['authorization'])).toEqual({
    permissions: [{ rsid: '7', rsname: 'nordwerk', scopes: ['iam.devices.read'] }],
  })

  const before = await page.evaluate(() => keycloak.refreshToken)
  expect(await page.evaluate(() => keycloak.updateToken(-1))).toBe(true)
  expect(await page.evaluate(() => keycloak.refreshToken)).not.toBe(before)
  expect(await page.evaluate(() => keycloak.loadUserInfo())).toMatchObject({
    preferred_username: 'anna@nordwerk',
  })
  expect(await page.evaluate(() => keycloak.loadUserProfile())).toMatchObject({ username: 'anna' })

  const second = await context.newPage()
  await second.addInitScript(() => sessionStorage.setItem('onLoad', 'check-sso'))
  await second.goto(`${server.origin}/`)
  await titled(second, 'in')
  await second.evaluate(() => void keycloak.logout({ redirectUri: `${location.origin}/` }))
  await titled(second, 'out')
  // The other tab is notified through the session-check frame and asks to sign in again.
  await page.getByLabel('Passwort').waitFor()
  expect(complaints).toEqual([])
})

test('the sign-in page fits a phone and has no trouble in the dark', async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 780 },
    colorScheme: 'dark',
    locale: 'de-DE',
  })
  const page = await phone.newPage()
  await page.goto(`${server.origin}/`)
  await page.getByLabel('Passwort').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('username')
  await phone.close()
})
