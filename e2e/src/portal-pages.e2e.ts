import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { personOf, signInByHttp } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import {
  enterPortal,
  faultsOf,
  goTo,
  patient,
  phone,
  still,
  untitled,
  walkTo,
  wideOf,
} from './portal.ts'

let longreach: Longreach
let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  longreach = await startLongreach({ program: 'demo' })
  browser = await openBrowser()
  demo = await demoFile(longreach)
})
afterAll(async () => {
  await browser.close()
  await longreach.stop()
})

/** A person's portal, at the list of devices. */
async function enter(username: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await enterPortal(browser, { demo, username, options })
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).waitFor(patient)
  return page
}

/** One of everything that the pages show, in the organization of who looks. */
async function screens(): Promise<[string, string, RegExp?][]> {
  const call = await signInByHttp(demo.url, personOf(demo, 'anna'))
  const own = 'organization=nordwerk'
  const first = async (what: string, organization: string) =>
    (await call<Listed>('GET', `mappings/api/v1/${what}?${organization}&pageSize=50`)).data[0]
  const oven = (await first('devices', `${own}.sonnenkorn`))?.deviceId ?? ''
  const gateway = (await first('devices', own))?.deviceId ?? ''
  const model = (await first('models', own))?.id ?? ''
  const preset = (await first('presets', own))?.id ?? ''
  const degrees = /°C/
  const temperatures = ['temperature', 'setPoint'].map((one) => `s=${oven}/OvenLine:1/zone1/${one}`)
  const explorer = `/data-explore?${temperatures.join('&')}`
  const tabs = [
    'chart',
    'configuration',
    'log',
    'connection',
    'timeline',
    'console',
    'access',
    'audit',
  ]
  return [
    ['list', '/devices', /oven-line-1/],
    ['panel', `/devices?device=${oven}`, degrees],
    ['cards', '/devices?view=cards', /oven-line-1/],
    ['trash', '/devices/trash'],
    ['device', `/devices/${oven}`, degrees],
    ['device values', `/devices/${oven}?tab=values`, degrees],
    ...tabs.map((tab): [string, string] => [`device ${tab}`, `/devices/${oven}?tab=${tab}`]),
    ['gateway', `/devices/${gateway}?tab=sources`],
    ['models', '/models', /Gateway/],
    ['model beside the list', `/models?model=${model}`],
    ['new model', '/models/new'],
    ['model', `/models/${model}`],
    ...['json', 'versions', 'usage'].map((tab): [string, string] => [
      `model ${tab}`,
      `/models/${model}?tab=${tab}`,
    ]),
    ['presets', '/presets', /Gateway/],
    ['preset beside the list', `/presets?preset=${preset}`],
    ['new preset', '/presets/new', /Gateway/],
    ['preset of a model', `/presets/new?model=${model}`],
    ['preset', `/presets/${preset}?device=${gateway}`],
    ['explorer, empty', '/data-explore'],
    ['explorer', explorer, degrees],
    ['explorer table', `${explorer}&tab=table`, degrees],
    ['explorer statistics', `${explorer}&tab=statistics`, degrees],
    ['alarms', '/alarms'],
    ['alarms of the past', '/alarms/alarms-history?range=now-30d'],
    ['shelved alarms', '/alarms/shelved'],
    ['alarm rules', '/alarms/rules'],
    ['new alarm rule', '/alarms/rules/new'],
    ['alarm report', '/alarms/report?period=month'],
    ['notifications', '/notifications'],
    ['why a message came', '/notifications/why'],
    ['notification rules', '/admin/notifications'],
    ['triggers', '/trigger'],
    ['a new trigger', '/trigger/new'],
    ['actions of triggers that are allowed', '/trigger/actions'],
    ['escalations', '/admin/notifications?tab=escalations'],
    ['on-call schedules', '/admin/notifications?tab=on-call'],
    ['storage', '/storage'],
    ['retention', '/storage?view=retention'],
  ]
}
type Listed = { data: { id: string; deviceId: string }[] }

/** Waits for a text, and where it was not there yet for what comes with it. */
async function appeared(page: Page, text: RegExp) {
  const told = page.getByText(text).first()
  if (await told.isVisible()) return
  await told.waitFor(patient)
  await still(page)
}

/** Screens of people who manage the organization; others are led back. */
const ofManagers = /^\/admin\//

/** Opens every screen, or every second one, and looks for faults and for what is wider than the window. */
async function walk(page: Page, every = 1, without?: RegExp) {
  const found: string[] = []
  const walked = (await screens()).filter(([, path]) => !without?.test(path))
  for (const [screen, path, text] of walked.filter((_, at) => at % every === 0)) {
    await (every === 1 ? walkTo : goTo)(page, demo.url, path)
    if (text) await appeared(page, text)
    found.push(...(await faultsOf(page, screen)), ...(await untitled(page, screen)))
    const wide = await wideOf(page)
    if (wide > 0) found.push(`${screen}: ${wide} px wider than the window`)
  }
  return found
}

test('every second screen of devices, models, presets, the explorer and storage, in light, has no accessibility fault [R-10] [R-16] [C-26]', async () => {
  const page = await enter('anna')
  expect(await walk(page, 2)).toEqual([])
  await goTo(page, demo.url, '/devices')
  await page.getByRole('button', { name: 'Add device' }).click(patient)
  await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  expect(await faultsOf(page, 'add device')).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Alt+Shift+S')
  await page.getByRole('dialog').getByRole('checkbox').first().waitFor(patient)
  expect(await faultsOf(page, 'features')).toEqual([])
  await page.context().close()
}, 300_000)

test('the same in German, dark and on a phone, where nothing is wider than the window [P-03] [N-04]', async () => {
  const page = await enter('tom', { locale: 'de-DE', viewport: phone, colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Geräte', level: 1 }).waitFor(patient)
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^de/)
  expect(await walk(page, 1, ofManagers)).toEqual([])
  await goTo(page, demo.url, (await screens()).find(([name]) => name === 'device')?.[1] ?? '')
  await page
    .getByRole('button', { name: /zone1\/setPoint\)/ })
    .first()
    .click(patient)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Neuer Wert' }).fill('7x')
  expect(await faultsOf(page, 'write')).toEqual([])
  await page.context().close()
}, 300_000)

test('the list is walked, filtered and opened with the keyboard alone [R-10]', async () => {
  const page = await enter('anna')
  await page.keyboard.press('/')
  await page.keyboard.type('oven')
  await expect.poll(() => page.url(), patient).toContain('q=oven')
  await page.getByRole('link', { name: 'gateway-hq', exact: true }).waitFor({ state: 'detached' })
  const inRow = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'row')
  for (let presses = 0; presses < 15 && !(await inRow()); presses++)
    await page.keyboard.press('Tab')
  expect(await inRow()).toBe(true)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'oven-line-1' })
  await panel.getByRole('link', { name: 'Open device' }).waitFor(patient)
  expect(page.url()).toContain('device=')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(inRow, patient).toBe(true)
  await page.context().close()
})

test('a person who may only read is told why the rest is not for them [R-10]', async () => {
  const page = await enter('max')
  const add = page.getByRole('button', { name: 'Add device' })
  await expect.poll(() => add.getAttribute('aria-disabled'), patient).toBe('true')
  await add.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).click()
  await page
    .getByRole('button', { name: /^You do not have permission to change devices/ })
    .first()
    .waitFor(patient)
  await page.context().close()
})

test('a value of the machine moves on the page by itself [C-22 in part]', async () => {
  const page = await enter('eva')
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).click()
  const values = page.getByRole('listitem').locator('b')
  await page.getByRole('listitem').filter({ hasText: 'products' }).locator('b').waitFor(patient)
  // Each at its own pace: which one is next depends on what the machine does at this hour.
  const before = await values.allTextContents()
  await expect.poll(() => values.allTextContents(), patient).not.toEqual(before)
  await page.context().close()
})

test('a device that is not there says so and leads back to the list', async () => {
  const page = await enter('eva')
  await page.goto(`${demo.url}/devices/AAAAAAAAAAAAAAAAAAAAAA`)
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Device not found', level: 1 }).waitFor(patient)
  expect(await faultsOf(page, 'no such device')).toEqual([])
  await main.getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).waitFor(patient)
  await page.context().close()
})
