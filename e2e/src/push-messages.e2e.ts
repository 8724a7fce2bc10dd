import { createPushReader } from '@longreach/kit/web-push-testing'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNotifyingBrowser } from './notifying-browser.ts'
import { enterPage, faultsOf, patient } from './portal.ts'
import { mainOrg as org, type PressWorld, setupOwner, startPressWorld } from './press-world.ts'

const reader = createPushReader()
/** Messages that the push service got for the browser. */
const sent: string[] = []
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    sent.push(reader.read(Buffer.concat(parts)))
    response.writeHead(201).end()
  })
})

let world: PressWorld
let browser: Awaited<ReturnType<typeof openNotifyingBrowser>>
let page: Page

beforeAll(async () => {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as { port: number }
  const env = { OUTSIDE_HTTP: 'on', OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' }
  world = await startPressWorld({ env })
  const { origin } = new URL(world.longreach.url)
  const endpoint = `http://127.0.0.1:${port}/browser`
  browser = await openNotifyingBrowser(origin, { endpoint, keys: reader.keys })
  page = await browser.context.newPage()
  const demo = { url: world.longreach.url, people: [setupOwner] }
  await enterPage(page, { demo, username: setupOwner.username })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  service.close()
})

const openPreferences = async () => {
  await page.goto(`${world.longreach.url}/notifications`)
  await page.getByRole('button', { name: 'Preferences' }).click(patient)
  const fields = page.getByRole('group', { name: 'Messages in this browser' })
  await fields.waitFor(patient)
  return fields
}

/** The browser's push service brings the message with this number, counted from 1. */
async function bring(number: number) {
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(number)
  const before = browser.desktop.shown.length
  await browser.deliver(page, sent[number - 1] ?? '')
  await expect.poll(() => browser.desktop.shown.length).toBe(before + 1)
  const shown = browser.desktop.shown.at(-1)
  if (!shown) throw new Error('Nothing is shown')
  return shown
}

/** Tab that a click on a notification opens. */
async function openedBy({ id }: { id: number }) {
  const opening = browser.context.waitForEvent('page')
  browser.desktop.click(id)
  return opening
}

const isSubscribed = () =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready
    return (await worker.pushManager.getSubscription()) !== null
  })

test('a browser shows an alarm in the reader’s language, later news take its place, a click opens it, and it ends when it is removed [C-29 in part]', async () => {
  const { device } = await world.press('press-1', {
    alarms: [{ name: 'door', ack: true, reset: false }],
  })
  await world.call('PUT', `notification/api/v1/preferences?${org}`, {
    bySeverity: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((n) => [n, ['inbox', 'push']])),
    language: 'de',
  })
  await world.call('POST', `notification/api/v1/notifications?${org}`, {
    name: 'All',
    recipientFilters: [setupOwner.username],
    longreach: { channels: ['inbox'], onReturn: true },
  })

  const fields = await openPreferences()
  const turnOn = fields.getByRole('button', { name: 'Turn on in this browser' })
  await turnOn.click()
  await fields.getByText('Chrome, Linux (this browser)').waitFor(patient)
  // What is on is not offered a second time.
  await turnOn.waitFor({ ...patient, state: 'detached' })
  expect(await faultsOf(page, 'browsers for messages')).toEqual([])
  await fields.getByRole('button', { name: /^Send test/ }).click()
  const tested = await bring(1)
  expect(tested.title).toMatch(/Test/)

  device.alarms.raise('door', 1)
  const raised = await bring(2)
  expect(raised).toMatchObject({
    replaces: 0,
    title: expect.stringMatching(/^\[(Kritisch|Hoch|Mittel|Niedrig)\] press-1: door/),
  })
  const { path } = JSON.parse(sent[1] ?? '') as { path: string }
  const address = new URL(path, world.longreach.url).href

  // News of one alarm are one notification; that of the test is another.
  device.alarms.end('door', 0)
  const ended = await bring(3)
  expect(ended).toMatchObject({
    replaces: raised.id,
    title: expect.stringMatching(/^Vorbei nach .*press-1/),
  })
  expect(ended.id).not.toBe(tested.id)

  // No tab shows the alarm: a click opens one, and leads no other away.
  const opened = await openedBy(ended)
  await opened.getByRole('heading', { name: /door/ }).first().waitFor(patient)
  expect(opened.url()).toBe(address)
  expect(page.url()).toMatch(/\/notifications/)
  expect(browser.desktop.closed).toContain(ended.id)

  // Clicked when a tab shows the alarm, it opens no other; the next one, which no tab shows, does.
  const again = await bring(3)
  const pages = browser.context.pages().length
  const closed = browser.desktop.closed.length
  browser.desktop.click(again.id)
  await expect.poll(() => browser.desktop.closed.slice(closed)).toContain(again.id)
  const list = await openedBy(tested)
  await expect.poll(() => new URL(list.url()).pathname).toBe('/alarms')
  expect(browser.context.pages()).toHaveLength(pages + 1)

  await page.bringToFront()
  await fields.getByRole('button', { name: /^Remove/ }).click()
  await turnOn.waitFor(patient)
  expect(await isSubscribed()).toBe(false)
  const known = await world.call<{ subscriptions: object[] }>(
    'GET',
    `notification/api/v1/push?${org}`,
  )
  expect(known.subscriptions).toEqual([])
  expect(sent).toHaveLength(3)
})
