import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumFlags } from '../../scripts/chromium.ts'
import { openBrowser, signIn } from './browser.ts'
import { personOf } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { sharedDemo } from './shared-worlds.ts'

// The service worker of messages in a real browser: the push service is that of the browser's own tools.

let browser: Browser
let context: BrowserContext
let demo: DemoFile
let page: Page
/** The browser has notifications: the one without windows of its own has none. */
let isWhole = false

const wholeBrowsers = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/snap/bin/chromium']

beforeAll(async () => {
  const executablePath = wholeBrowsers.find((place) => existsSync(place))
  isWhole = executablePath !== undefined
  browser = isWhole
    ? await chromium.launch({ executablePath: executablePath ?? '', args: chromiumFlags })
    : await openBrowser()
  demo = await sharedDemo('demo')
  context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
  context.setDefaultTimeout(60_000)
  await context.grantPermissions(['notifications'], { origin: demo.url })
  page = await context.newPage()
  await page.goto(`${demo.url}/?realm=nordwerk`)
  await signIn(page, personOf(demo, 'eva'))
  await page.locator('#page h1').first().waitFor()
})
afterAll(() => browser?.close())

type Shown = { title: string; body: string; lang: string; tag: string; stays: boolean }

/** Messages that the browser shows, read in a tab. */
const shown = (tab: Page) =>
  tab.evaluate(async (): Promise<Shown[]> => {
    const { registration } = await navigator.serviceWorker.ready.then((found) => ({
      registration: found,
    }))
    const all = await registration.getNotifications()
    return all.map(({ title, body, lang, tag, requireInteraction: stays }) => ({
      title,
      body,
      lang,
      tag,
      stays,
    }))
  })

/** Registers the worker as the portal does, and returns how a push message reaches it. */
async function registered() {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  const tools = await context.newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [first] = registrations
    if (first) resolve(first.registrationId)
  })
  await tools.send('ServiceWorker.enable')
  const registrationId = await promise
  return (message: object) =>
    tools.send('ServiceWorker.deliverPushMessage', {
      origin: demo.url,
      registrationId,
      data: JSON.stringify(message),
    })
}

const german = {
  title: '[Kritisch] Ofen 7: Zone 2 zu heiß',
  body: 'Zone 2 zu heiß\n05.01.2026, 12:00 MEZ\nKlappe öffnen',
  lang: 'de',
  tag: 'one',
  severity: 6,
  path: '/alarms?alarm=AAAAAAAAAAAAAAAAAAAAAA',
}

test('a message is shown in the language of its reader, once however many tabs are open; a click opens its alarm [R-21 in part]', async () => {
  if (!isWhole) throw new Error('this test needs the package chromium, which has notifications')
  const other = await context.newPage()
  await other.goto(`${demo.url}/devices`)
  const deliver = await registered()
  await deliver(german)
  const { severity: _, path: __, ...seen } = german
  for (const tab of [page, other]) {
    await expect.poll(() => shown(tab)).toEqual([{ ...seen, stays: true }])
  }
  // The same message again, as a retry sends it, takes the place of the first.
  await deliver({ ...german, body: 'again' })
  await expect.poll(async () => (await shown(page)).map(({ body }) => body)).toEqual(['again'])
  const mild = { title: 'Mild', body: '', lang: 'en', tag: 'two', severity: 3, path: '/alarms' }
  await deliver(mild)
  await expect.poll(async () => (await shown(page)).length).toBe(2)
  expect((await shown(page)).find(({ tag }) => tag === 'two')?.stays).toBe(false)

  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('there is a worker')
  // A browser opens a window only for a person's own click: what the worker asks for is kept here, and opened below.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope // of a service worker
    scope.asked = []
    scope.clients.openWindow = async (address) => void scope.asked.push(address)
  })
  /** Clicks on a message of the tag; addresses of windows that were asked for since the first click. */
  const click = (tag: string) =>
    worker.evaluate(async (wanted) => {
      const scope = globalThis as unknown as WorkerScope
      const [notification] = await scope.registration.getNotifications({ tag: wanted })
      const event = new scope.NotificationEvent('notificationclick', { notification })
      const ends: Promise<unknown>[] = []
      event.waitUntil = (end) => void ends.push(end)
      scope.dispatchEvent(event)
      // A tab comes to the front only for a person's own click, too.
      await Promise.allSettled(ends)
      return scope.asked
    }, tag)
  expect(await click('one')).toEqual([`${demo.url}${german.path}`])
  expect((await shown(page)).map(({ tag }) => tag)).toEqual(['two'])
  // No tab was led away from what somebody does there.
  expect(new URL(other.url()).pathname).toBe('/devices')
  const opened = await context.newPage()
  await opened.goto(`${demo.url}${german.path}`)
  await opened.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()

  // A tab that shows the page already is taken: no other window is asked for.
  const list = await context.newPage()
  await list.goto(`${demo.url}/alarms`)
  await list.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor()
  await list.evaluate(() => history.replaceState(history.state, '', '/alarms'))
  expect(await click('two')).toHaveLength(1)
  expect(await shown(page)).toEqual([])

  await deliver({ ...mild, tag: 'evil', path: 'https://evil.example/' })
  await expect.poll(async () => (await shown(page)).length).toBe(1)
  expect(await click('evil')).toHaveLength(1)
})

type WorkerScope = {
  asked: string[]
  clients: { openWindow: (address: string) => Promise<unknown> }
  registration: { getNotifications: (of: { tag: string }) => Promise<unknown[]> }
  NotificationEvent: new (
    type: string,
    init: { notification: unknown },
  ) => { waitUntil: (end: Promise<unknown>) => void }
  dispatchEvent: (event: unknown) => void
}
