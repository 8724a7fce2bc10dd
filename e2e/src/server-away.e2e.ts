import { rm } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { personOf, signInByHttp } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, patient, still } from './portal.ts'

/** Time that the server is down in addition to killing, checking and starting. */
const awayMs = Number(process.env['SERVER_AWAY_MS'] ?? 0)
const minute = 60_000

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
  await rm(longreach.dataDir, { recursive: true, force: true })
})

/** Every page of the menu, the tabs of a device's page, and the explorer with a chart. */
async function places() {
  const call = await signInByHttp(demo.url, personOf(demo, 'anna'))
  const own = 'mappings/api/v1/devices?organization=nordwerk.sonnenkorn&pageSize=1'
  const oven = (await call<{ data: { deviceId: string }[] }>('GET', own)).data[0]?.deviceId ?? ''
  const menu = ['/devices', '/devicemap', '/data-explore', '/devices/groups', '/models', '/presets']
  const administration = ['/storage', '/organizations', '/permission', '/roles', '/log', '/apikeys']
  const tabs = ['overview', 'data', 'history', 'configuration', 'access', 'service']
  return [
    ...menu,
    ...administration,
    '/account',
    ...tabs.map((tab) => `/devices/${oven}?tab=${tab}`),
    `/data-explore?s=${oven}/OvenLine:1/zone1/temperature`,
  ]
}

/** Content that does not change by itself, and the failures in it. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const lasting = 'main h1, main h2, main h3, main a, main [role=tab], main canvas'
    return {
      heading: document.querySelector('main h1:not([data-left])')?.textContent,
      texts: [...document.querySelectorAll(lasting)].map(
        (one) => `${one.tagName} ${one.tagName === 'CANVAS' ? '' : one.textContent}`,
      ),
      failures: [...document.querySelectorAll('main [role=alert]')].map((one) => one.textContent),
    }
  })
type Shown = Awaited<ReturnType<typeof shown>>
type Place = { path: string; before: Shown }

/** Waits until the page that is open has come, with what it asked for. */
async function arrived(page: Page) {
  await page.locator('main h1:not([data-left])').waitFor(patient)
  const waiting = page.locator('main [data-skeleton], main [role=status]:has-text("Loading")')
  await waiting.first().waitFor({ ...patient, state: 'detached' })
  await still(page)
}

/** Another page of the same portal, as a click on a link opens it; resolves once its heading stands. */
async function go(page: Page, path: string) {
  await page.evaluate((to) => {
    // The heading of another page is another element; tabs of one page share theirs.
    const leaves = new URL(to, location.href).pathname !== location.pathname
    const heading = document.querySelector<HTMLElement>('main h1')
    if (leaves && heading) heading.dataset['left'] = 'true'
    history.pushState({}, '', to)
  }, path)
  await page.locator('main h1:not([data-left])').waitFor(patient)
}

async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${demo.url}${path}${path.includes('?') ? '&' : '?'}org=nordwerk`)
  await arrived(page)
  return page
}

/** Content of a page that is missing, or failed since. */
async function lostOn(page: Page, { path, before }: Place) {
  const now = await shown(page)
  return [
    ...before.texts.filter((text) => !now.texts.includes(text)),
    ...now.failures.filter((text) => !before.failures.includes(text)),
  ].map((text) => `${path}: ${text}`)
}

const away = (page: Page) => page.getByText('Server not reachable', { exact: true })
const comesBack = (page: Page) => away(page).waitFor({ timeout: 2 * minute, state: 'detached' })

test(
  'while the server is away nothing leaves the screen, and afterwards every page recovers alone',
  async () => {
    const walker = await enterPortal(browser, { demo, username: 'anna' })
    const context = walker.context()
    const visited: Place[] = []
    for (const path of await places()) {
      await go(walker, path)
      await arrived(walker)
      visited.push({ path, before: await shown(walker) })
    }
    const device = await openTab(
      context,
      visited.find(({ path }) => path.includes('tab='))?.path ?? '',
    )
    const onDevice = { path: 'device', before: await shown(device) }
    const form = await openTab(context, '/devices/groups')
    await form.getByRole('button', { name: 'New device group' }).first().click()
    const dialog = form.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Written before')

    await longreach.kill()
    // A page with live values is updated at once, any other at its next request.
    await away(device).waitFor(patient)
    await device
      .getByText(/^As of /)
      .first()
      .waitFor(patient)
    await dialog.getByRole('textbox').fill('Written meanwhile')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await dialog.getByText('The server is not reachable').waitFor(patient)
    const lost: string[] = []
    for (const place of visited) {
      await go(walker, place.path)
      await still(walker)
      lost.push(...(await lostOn(walker, place)))
    }
    lost.push(...(await lostOn(device, onDevice)))
    expect(lost).toEqual([])
    // Never opened before: neither its code nor its data is here.
    await walker.evaluate(() => history.pushState({}, '', '/mails'))
    await walker.getByText('opens as soon as the server is available').waitFor(patient)
    await away(walker).waitFor(patient)
    await walker.waitForTimeout(awayMs)
    expect(await lostOn(device, onDevice)).toEqual([])

    const { port } = new URL(longreach.url)
    const { dataDir, mqttPort } = longreach
    const env = { PORT: port, MQTT_PORT: String(mqttPort) }
    longreach = await startLongreach({ program: 'demo', dataDir, env })
    for (const page of [walker, device, form]) await comesBack(page)
    await walker.getByRole('heading', { name: 'Emails', level: 1 }).waitFor(patient)
    await arrived(walker)
    expect(await walker.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await device.getByText('Live', { exact: true }).first().waitFor(patient)
    await expect.poll(() => lostOn(device, onDevice), patient).toEqual([])
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Written meanwhile')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await form.getByText('Written meanwhile').first().waitFor(patient)
  },
  10 * minute,
)
