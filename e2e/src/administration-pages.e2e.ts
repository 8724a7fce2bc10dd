import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, personOf, signInByHttp } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, faultsOf, goTo, patient, phone, walkTo, wideOf } from './portal.ts'

let longreach: Longreach
let browser: Browser
let demo: DemoFile
let call: Calls
beforeAll(async () => {
  longreach = await startLongreach({ program: 'demo', machines: 'off' })
  browser = await openBrowser()
  demo = await demoFile(longreach)
  call = await signInByHttp(demo.url, personOf(demo, 'anna'))
  await fill()
})
afterAll(async () => {
  await browser.close()
  await longreach.stop()
})

const org = 'core/api/v1/organizations/nordwerk'
const ids = { tom: 0, group: 0, role: 0, devices: 0, key: 0 }
type Made = { id: number }
type Listed = { content: { id: number; username: string; name: string }[] }

/** One of everything that the pages show. */
async function fill() {
  const people = await call<Listed>('GET', `${org}/users`)
  ids.tom = people.content.find(({ username }) => username === 'tom')?.id ?? 0
  ids.group = (await call<Made>('POST', `${org}/userGroups`, { name: 'Night shift' })).id
  await call('POST', `${org}/userGroups/${ids.group}/members/${ids.tom}`)
  const ready = await call<Listed>('GET', `${org}/roles?pageSize=50`)
  const operator = ready.content.find(({ name }) => name === 'app_operator')?.id ?? 0
  await call('POST', `${org}/userGroups/${ids.group}/roles/${operator}`)
  const role = { name: 'shift', label: 'Shift leader', description: 'Of one line' }
  ids.role = (await call<Made>('POST', `${org}/roles`, role)).id
  const devices = { name: 'Line 1' }
  ids.devices = (await call<Made>('POST', `${org}/securityPolicies`, devices)).id
  ids.key = (await call<Made>('POST', `${org}/apiKeys`, { label: 'Report' })).id
}

/** Every screen by what it is called and where it is; the places name what they open. */
const screens = (): [string, string][] => [
  ...['overview', 'settings', 'security', 'import', 'deleted', 'log'].map(
    (tab): [string, string] => [`organization ${tab}`, `/organizations?tab=${tab}`],
  ),
  ['organization below', '/organizations?at=nordwerk.sonnenkorn'],
  ['resources', '/organizations/resources'],
  ['consumption', '/organizations/consumptions'],
  ['people', '/permission'],
  ...['profile', 'groups', 'devices', 'security', 'access'].map((tab): [string, string] => [
    `person ${tab}`,
    `/permission?person=${ids.tom}&tab=${tab}`,
  ]),
  ['groups', '/permission/groups'],
  ['group', `/permission/groups?group=${ids.group}`],
  ['roles held', `/permission/roles?role=${ids.role}`],
  ['roles', '/roles'],
  ['role', `/roles/${ids.role}`],
  ['role devices', `/roles/${ids.role}?tab=devices`],
  ['role holders', `/roles/${ids.role}?tab=holders`],
  ['device groups', '/devices/groups'],
  ['device group', `/devices/groups/${ids.devices}`],
  ['who sees a device group', `/devices/groups/${ids.devices}?tab=sight`],
  ['API keys', '/apikeys'],
  ['API key', `/apikeys?key=${ids.key}`],
  ['agreements', '/agreements-admin'],
  ['mails', '/mails'],
  ['log', '/log'],
  ['audit trail', '/log?kind=audit'],
  ['failed notifications', '/log/failed-notifications'],
  ...['profile', 'security', 'sessions', 'preferences'].map((tab): [string, string] => [
    `account ${tab}`,
    `/account?tab=${tab}`,
  ]),
]

type Look = { name: string; colorScheme: 'light' | 'dark'; size?: typeof phone }
const desktop = { width: 1280, height: 800 }
const light: Look = { name: 'light', colorScheme: 'light' }

/** Parts of the product that this version does not have, as pages would speak of them. */
const missing =
  /\b(dashboards?|products|remote access|app store|licen[cs]es?|vpn|will stand here|once it is there|not part of this)\b/i

/** Every screen in a look: what axe finds on it, or on every second one, what does not fit and what is missing. */
async function walk(page: Page, { name, colorScheme, size = desktop }: Look, every = 1) {
  const found: string[] = []
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(size)
  for (const [at, [screen, path]] of screens().entries()) {
    await (every === 1 ? walkTo : goTo)(page, demo.url, path)
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor(patient)
    if (at % every === 0) found.push(...(await faultsOf(page, `${screen} ${name}`)))
    const wide = await wideOf(page)
    if (wide > 0) found.push(`${screen} ${name}: ${wide} px wider than the window`)
    const word = missing.exec(await page.locator('body').innerText())
    if (word) found.push(`${screen} ${name} speaks of ${word[0]}`)
  }
  return found
}

test('every screen of administration, in light, fits, speaks of nothing that is not there yet and has no accessibility fault [R-13] [R-14] [R-15] [R-20 in part] [P-02] [P-04] [P-05] [E-04]', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  expect(await walk(page, light, 2)).toEqual([])
  await page.context().close()
}, 600_000)

test('with the keyboard alone a person is invited, put into a group, and their access read [R-13] [E-03] [E-04] [C-06]', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await goTo(page, demo.url, '/permission')
  await tabTo(page, 'Invite person')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Email').waitFor(patient)
  // The dialog takes the keyboard a moment after it stands.
  await page.locator('[role=dialog] input:focus').waitFor(patient)
  await page.keyboard.type('greta@nordwerk.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Greta')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('/auth/realms/nordwerk/').first().waitFor(patient)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ ...patient, state: 'detached' })

  await page.keyboard.press('/')
  await page.keyboard.type('greta')
  await page.getByRole('row', { name: /Greta/ }).waitFor(patient)
  await page.getByRole('row', { name: /anna/ }).waitFor({ ...patient, state: 'detached' })
  await tabTo(page, /Greta/, 'row')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: /Greta/ })
  await panel.getByText('No groups').waitFor(patient)
  await tabTo(page, 'Add to group')
  await page.keyboard.type('night')
  await page.getByRole('option', { name: /Night shift/ }).waitFor(patient)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: /Night shift/ }).waitFor(patient)

  await page.keyboard.press('Shift+Tab')
  await tabTo(page, 'Roles', 'tab')
  for (let tabs = 0; tabs < 4; tabs++) await page.keyboard.press('ArrowRight')
  await panel.getByRole('tab', { name: 'Access', selected: true }).waitFor(patient)
  await panel.getByRole('button', { name: 'view', exact: true }).first().waitFor(patient)
  await tabTo(page, 'view')
  await page.keyboard.press('Enter')
  await panel.getByText('Night shift').waitFor(patient)
  await page.context().close()
})

test('whoever acts as somebody is told so, and stops by signing out [R-13]', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await goTo(page, demo.url, `/permission?person=${ids.tom}`)
  await page.getByRole('button', { name: 'Act as' }).click(patient)
  await page.getByRole('button', { name: 'Sign in as tom@nordwerk' }).waitFor(patient)
  expect(await faultsOf(page, 'before acting')).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText(/You act as Tom Keller, signed in by anna/).waitFor(patient)
  expect(await faultsOf(page, 'acting')).toEqual([])
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('input[type=password]').waitFor(patient)
  await page.context().close()
})

test('the key of an authenticator is shown as a picture to scan [T-11]', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await goTo(page, demo.url, '/account?tab=security')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click(patient)
  const picture = page.getByRole('dialog').getByRole('img', { name: 'QR code' })
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(width, patient).toBeGreaterThan(0)
  expect(await faultsOf(page, 'authenticator')).toEqual([])
  await page.context().close()
})

test('a server that does not answer is said where it was asked, and asked again [X-05]', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  const lists =
    /\/api\/v1\/organizations\/nordwerk\/(users|roles|userGroups|securityPolicies|apiKeys)\?/
  const refused = { status: 500, json: { statusCode: 500, code: 'internal', message: 'no' } }
  await page.route(lists, (route) => route.fulfill(refused))
  for (const path of ['/permission', '/permission/groups', '/roles', '/devices/groups', '/apikeys'])
    await expectFailure(page, path)
  await page.unroute(lists)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor({ ...patient, state: 'detached' })
  await page.context().close()
})

test('administration in German, dark, on a phone has no accessibility fault and fits [P-03]', async () => {
  await call('POST', `${org}/userPreferences`, { serviceName: 'locale', value: 'de-DE' })
  const options: BrowserContextOptions = { locale: 'de-DE', viewport: phone, hasTouch: true }
  const page = await enterPortal(browser, { demo, username: 'anna', options })
  await page.getByRole('heading', { name: 'Geräte', level: 1 }).waitFor(patient)
  const look: Look = { name: 'German', colorScheme: 'dark', size: phone }
  expect(await walk(page, look)).toEqual([])
  await page.context().close()
}, 600_000)

async function expectFailure(page: Page, path: string) {
  await page.goto(`${demo.url}${path}`)
  await page.getByRole('main').getByRole('alert').waitFor(patient)
  expect(await faultsOf(page, `${path} failed`)).toEqual([])
}

/** Presses Tab until the element with this name has the focus, as a keyboard user does. */
async function tabTo(page: Page, name: string | RegExp, role?: 'row' | 'tab') {
  const found = () =>
    page.evaluate(
      ([source, exact, wanted]) => {
        const at = document.activeElement
        if (!at || (wanted !== '' && at.getAttribute('role') !== wanted)) return false
        const said = (at.getAttribute('aria-label') ?? at.textContent).trim()
        return exact === 'true' ? said === source : new RegExp(source ?? '').test(said)
      },
      [typeof name === 'string' ? name : name.source, String(typeof name === 'string'), role ?? ''],
    )
  for (let presses = 0; presses < 60; presses++) {
    if (await found()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(name)}`)
}

test('the page to sign in at speaks of nothing that is not there yet', async () => {
  const stranger = await browser.newPage({ locale: 'en-US' })
  await stranger.goto(`${demo.url}/?realm=nordwerk`)
  await stranger.locator('input[type=password]').waitFor(patient)
  const door = await stranger.locator('body').innerText()
  expect(door).toContain('Sign in to Nordwerk Ovens')
  expect(door).not.toMatch(missing)
  await stranger.close()
})
