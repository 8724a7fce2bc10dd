import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { personOf } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('demo')
})
afterAll(() => browser.close())

/** A tab of somebody who looks at the devices, and the paths that it goes to from then on. */
async function atDevices() {
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', colorScheme: 'dark' })
  await page.goto(`${demo.url}/?realm=nordwerk`)
  await signIn(page, personOf(demo, 'eva'))
  // The way back from the sign-in ends before the next one begins.
  await page.locator('#page h1').first().waitFor()
  await page.goto(`${demo.url}/devices`)
  await heading(page).waitFor()
  const gone: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      gone.push(new URL(request.url()).pathname)
  })
  return { page, gone }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Devices' })

test('a reload renews the session without leaving the address of the page', async () => {
  const { page, gone } = await atDevices()
  await page.reload()
  await heading(page).waitFor()
  expect(gone).toEqual(['/devices'])
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/devices')
  await page.close()
})

test('before anything is answered a reload shows the title, the heading and the colours of before', async () => {
  const { page } = await atDevices()
  const held = Promise.withResolvers<void>()
  await page.route(/\/auth\/|\/svc\//, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(() => page.title()).toBe('Devices · Longreach')
  await page.locator('#root > [aria-hidden=true]', { hasText: 'Devices' }).waitFor()
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  held.resolve()
  await heading(page).waitFor()
  expect(await page.locator('#root > [aria-hidden=true]').count()).toBe(0)
  await page.close()
})

test('a reload after the end of the session leads to the sign-in, and from there back to the page', async () => {
  const { page } = await atDevices()
  await page.context().clearCookies()
  await page.reload()
  await signIn(page, personOf(demo, 'eva'))
  await heading(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/devices')
  await page.close()
})
