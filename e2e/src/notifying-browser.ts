import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumFlags, windowedChromiumPath } from '../../scripts/chromium.ts'
import { startDesktop } from './desktop-bus.ts'

/** Subscription that a browser's push service would give out. */
type Given = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * Browser that shows notifications on a desktop of the test. Only the push service of its maker is another one: the
 * browser asks it for no subscription, and what it would bring is handed over by the test.
 */
export async function openNotifyingBrowser(origin: string, given: Given) {
  const executablePath = windowedChromiumPath()
  if (!executablePath) throw new Error('No Chromium with windows: npm test installs it')
  const desktop = await startDesktop()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-browser-'))
  // Of a private window no notification can open a page.
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: chromiumFlags,
    env: { ...process.env, ...desktop.env },
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
  await context.grantPermissions(['notifications'], { origin })
  await context.addInitScript(subscribeHere, given)
  return {
    context,
    desktop,
    /** Hand a message over to the portal's worker, as the browser does with one that its push service brings. */
    async deliver(page: Page, data: string) {
      const session = await context.newCDPSession(page)
      const registrationId = await workerOf(session, origin)
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
      await session.detach()
    },
    async close() {
      await context.close()
      await desktop.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function workerOf(session: CDPSession, origin: string) {
  const { promise, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
    if (own) resolve(own.registrationId)
  })
  await session.send('ServiceWorker.enable')
  return promise
}

/** Gives a page the subscription in place of the one that the maker's push service gives; runs in the page. */
function subscribeHere({ endpoint, keys }: Given) {
  const place = 'test.subscribed'
  const subscription = {
    endpoint,
    options: { applicationServerKey: null as ArrayBuffer | null },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe() {
      localStorage.removeItem(place)
      return Promise.resolve(true)
    },
  }
  const keyOf = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    ).buffer
  const known = () => {
    const key = localStorage.getItem(place)
    if (key === null) return Promise.resolve(null)
    subscription.options.applicationServerKey = keyOf(key)
    return Promise.resolve(subscription)
  }
  Object.assign(PushManager.prototype, {
    getSubscription: known,
    subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      localStorage.setItem(place, applicationServerKey)
      return known()
    },
  })
}
