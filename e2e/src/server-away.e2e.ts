import { rm } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { personOf, signInByHttp } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, patient, still } from './portal.ts'

/** How long the server is away beyond what killing, looking and starting take. */
const awayMs = Number(process.env['SERVER_AWAY_MS'] ?? 0)
const atOnce = 4
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

/** What is shown that does not change by itself, and the failures among it. */
const shown = (page: Page) =>
  page.evaluate(() => {
    const lasting = 'main h1, main h2, main h3, main a, main [role=tab], main canvas'
    return {
      texts: [...document.querySelectorAll(lasting)].map(
        (one) => `${one.tagName} ${one.tagName === 'CANVAS' ? '' : one.textContent}`,
      ),
      failures: [...document.querySelectorAll('main [role=alert]')].map((one) => one.textContent),
    }
  })
type Shown = Awaited<ReturnType<typeof shown>>
type Tab = { path: string; page: Page; before: Shown }

async function openTab(context: BrowserContext, path: string): Promise<Tab> {
  const page = await context.newPage()
  await page.goto(`${demo.url}${path}${path.includes('?') ? '&' : '?'}org=nordwerk`)
  await page.locator('main h1').waitFor(patient)
  await page
    .locator('main [data-skeleton]')
    .first()
    .waitFor({ ...patient, state: 'detached' })
  await still(page)
  return { path, page, before: await shown(page) }
}

/** Work on many things, a few at a time. */
async function each<T, R>(all: readonly T[], work: (one: T) => Promise<R>) {
  const done: R[] = []
  for (let at = 0; at < all.length; at += atOnce) {
    done.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  }
  return done
}

/** What of each tab is no longer there, or newly failed. */
const lost = async (tabs: readonly Tab[]) =>
  (
    await each(tabs, async ({ path, page, before }) => {
      const now = await shown(page)
      return [
        ...before.texts.filter((text) => !now.texts.includes(text)),
        ...now.failures.filter((text) => !before.failures.includes(text)),
      ].map((text) => `${path}: ${text}`)
    })
  ).flat()

const away = (page: Page) => page.getByText('Server not reachable', { exact: true })

test(
  'while the server is away nothing leaves the screen, and afterwards every page recovers alone',
  async () => {
    const first = await enterPortal(browser, { demo, username: 'anna' })
    const context = first.context()
    const tabs = await each(await places(), (path) => openTab(context, path))
    const byPath = (start: string) => tabs.find(({ path }) => path.startsWith(start))?.page as Page
    const live = tabs.filter(({ path }) => /tab=(overview|data)/.test(path))
    const form = await openTab(context, '/devices/groups')
    await form.page.getByRole('button', { name: 'New device group' }).first().click()
    const dialog = form.page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Written before')

    await longreach.kill()
    // A page with live values hears it at once, any other at its next question.
    for (const { page } of live) await away(page).waitFor(patient)
    await dialog.getByRole('textbox').fill('Written meanwhile')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The server is not reachable').waitFor(patient)
    const walker = byPath('/devices/groups')
    await walker.getByRole('link', { name: 'Storage' }).click()
    await away(walker).waitFor(patient)
    await live[0]?.page
      .getByText(/^Online at|^Offline at/)
      .first()
      .waitFor(patient)
    const untouched = tabs.filter(({ page }) => page !== walker)
    expect(await lost(untouched)).toEqual([])
    await first.waitForTimeout(awayMs)
    expect(await lost(untouched)).toEqual([])

    const { port } = new URL(longreach.url)
    const { dataDir, mqttPort } = longreach
    const env = { PORT: port, MQTT_PORT: String(mqttPort) }
    longreach = await startLongreach({ program: 'demo', dataDir, env })
    for (const { page } of [...tabs, form]) {
      await away(page).waitFor({ timeout: 2 * minute, state: 'detached' })
    }
    // Where one went meanwhile is there; what was typed is there and can be saved now.
    await walker.getByRole('heading', { name: 'Storage', level: 1 }).waitFor(patient)
    await walker
      .locator('main [data-skeleton]')
      .first()
      .waitFor({ ...patient, state: 'detached' })
    await expect.poll(() => shown(walker), patient).toMatchObject({ failures: [] })
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Written meanwhile')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await form.page.getByRole('heading', { name: 'Written meanwhile' }).waitFor(patient)
    for (const { page } of live)
      await page.getByText('Live', { exact: true }).first().waitFor(patient)
    await expect.poll(() => lost(untouched), patient).toEqual([])
  },
  10 * minute,
)
