import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { personOf } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'

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

const patient = { timeout: 60_000 }
const phone = { width: 390, height: 780 }

/** A person's portal, signed in without a word of any language. */
async function enter(username: string, options: BrowserContextOptions = {}): Promise<Page> {
  const person = personOf(demo, username)
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options })
  const page = await context.newPage()
  await page.goto(`${demo.url}/?realm=${person.organization.split('.')[0] ?? ''}`)
  await page.locator('input[autocomplete=username]').fill(person.username)
  await page.locator('input[type=password]').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'oven-line-1' }).waitFor(patient)
  return page
}

/** Faults that axe finds against WCAG 2.2 AA on what is shown now, with the place they were found at. */
async function faults(page: Page, place: string) {
  await page.evaluate(axe.source)
  return page.evaluate(async (where) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      iframes: false,
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${where}: ${id}: ${html} ${any[0]?.message ?? ''}`),
    )
  }, place)
}

const settled = (page: Page) =>
  page.evaluate(async () => {
    // Colours are judged when they no longer change.
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(finite.map(({ finished }) => finished.catch(() => undefined))) // one may be taken away
  })

/** Opens every state of the pages of devices and values, and looks for faults in each. */
async function walk(page: Page, setPoint: string) {
  const found: string[] = []
  const look = async (place: string) => {
    await settled(page)
    found.push(...(await faults(page, place)))
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
    await settled(page)
    expect(await faults(page, `add device ${colorScheme}`)).toEqual([])
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
  expect(await faults(page, 'no such device')).toEqual([])
  await page.getByRole('link', { name: 'Back to the devices' }).click()
  await page.getByRole('link', { name: 'oven-line-1' }).waitFor(patient)
  await page.context().close()
})
