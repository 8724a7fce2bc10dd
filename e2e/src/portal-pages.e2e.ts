import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, faultsOf, patient, phone } from './portal.ts'

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
  await page.getByRole('link', { name: 'oven-line-1' }).waitFor(patient)
  return page
}

/** Opens every state of the pages of devices and values, and looks for faults in each. */
async function walk(page: Page, setPoint: string) {
  const found: string[] = []
  const look = async (place: string) => {
    found.push(...(await faultsOf(page, place)))
  }
  const href = (await page.getByRole('link', { name: 'oven-line-1' }).getAttribute('href')) ?? ''
  const id = href.split('/').at(-1) ?? ''
  await look('list')
  await page.goto(`${demo.url}/devices?device=${id}`)
  await page.getByRole('complementary', { name: 'oven-line-1' }).getByText('°C').first().waitFor()
  await look('panel')
  for (const tab of ['overview', 'values', 'chart', 'configuration', 'connection', 'console']) {
    await page.goto(`${demo.url}${href}?tab=${tab}`)
    await page.getByRole('tabpanel').waitFor(patient)
    if (['overview', 'values', 'chart'].includes(tab))
      await page.getByText('°C').first().waitFor(patient)
    await look(tab)
  }
  await page.goto(`${demo.url}${href}?tab=values`)
  await page.getByRole('button', { name: /zone1\/setPoint\)/ }).click(patient)
  await page.getByRole('dialog').getByRole('textbox').fill('7x')
  await look('write')
  const lines = ['temperature', 'setPoint'].map((name) => `s=${id}/OvenLine:1/zone1/${name}`)
  for (const tab of ['chart', 'table', 'statistics']) {
    await page.goto(`${demo.url}/data-explore?${lines.join('&')}&tab=${tab}`)
    await page.getByRole('tabpanel').getByText(setPoint).first().waitFor(patient)
    await look(`explorer ${tab}`)
  }
  return found
}

const looks: [string, string, BrowserContextOptions][] = [
  ['in light', 'anna', {}],
  ['in dark', 'anna', { colorScheme: 'dark' }],
  ['on a phone', 'anna', { viewport: phone, hasTouch: true }],
]
test.each(looks)(
  'devices and the explorer %s have no accessibility fault [R-10] [R-16]',
  async (_, who, options) => {
    const page = await enter(who, options)
    expect(await walk(page, 'zone1 · Set-point')).toEqual([])
    await page.context().close()
  },
)

test('a browser in German shows every page of devices in German [P-03] [N-04]', async () => {
  const page = await enter('tom', { locale: 'de-DE', viewport: phone, colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Geräte', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^de/)
  expect(await walk(page, 'zone1 · Set-point')).toEqual([])
  await page.goto(`${demo.url}/devices`)
  await page.getByRole('link', { name: 'oven-line-1' }).waitFor(patient)
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBeLessThanOrEqual(phone.width)
  await page.context().close()
})

test('the dialog for a device has no accessibility fault, light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await enter('anna', { colorScheme })
    await page.getByRole('button', { name: 'Add device' }).click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    expect(await faultsOf(page, `add device ${colorScheme}`)).toEqual([])
    await page.context().close()
  }
})

test('the list is walked, filtered and opened with the keyboard alone [R-10]', async () => {
  const page = await enter('anna')
  await page.keyboard.press('/')
  await page.keyboard.type('oven')
  await expect.poll(() => page.url(), patient).toContain('q=oven')
  await page.getByRole('link', { name: 'gateway-hq' }).waitFor({ state: 'detached' })
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
  expect(await inRow()).toBe(true)
  await page.context().close()
})

test('a person who may only read is told why the rest is not for them [R-10]', async () => {
  const page = await enter('max')
  const add = page.getByRole('button', { name: 'Add device' })
  expect(await add.getAttribute('aria-disabled')).toBe('true')
  await add.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('link', { name: 'oven-line-1' }).click()
  await page
    .getByRole('button', { name: /^You may not change devices/ })
    .first()
    .waitFor(patient)
  await page.context().close()
})

test('a value of the machine moves on the page by itself [C-22]', async () => {
  const page = await enter('eva')
  await page.getByRole('link', { name: 'oven-line-1' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'energy' }).locator('b')
  const before = await row.textContent(patient)
  await expect.poll(() => row.textContent(), patient).not.toBe(before)
  await page.context().close()
})

test('a device that is not there says so and leads back to the list', async () => {
  const page = await enter('eva')
  await page.goto(`${demo.url}/devices/AAAAAAAAAAAAAAAAAAAAAA`)
  await page.getByRole('alert').waitFor(patient)
  expect(await faultsOf(page, 'no such device')).toEqual([])
  await page.getByRole('link', { name: 'Back to the devices' }).click()
  await page.getByRole('link', { name: 'oven-line-1' }).waitFor(patient)
  await page.context().close()
})
