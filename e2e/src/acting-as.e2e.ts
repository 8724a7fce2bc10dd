import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { deviceIsSettled, personOf } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { ModbusReader } from './modbus.ts'
import { enterPortal, insidePortal, patient } from './portal.ts'

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

const plant = 'nordwerk.sonnenkorn'

test('an administrator acts as an operator: visible on every page, recorded with both names, and limited [R-20 in part]', async () => {
  await deviceIsSettled(demo, 'eva', 'oven-line-1')
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await page.goto(`${demo.url}/permission?org=${plant}`)
  await page.getByText('Eva Sonntag').first().click(patient)
  await page.getByRole('button', { name: 'Act as' }).click(patient)
  await page.getByRole('button', { name: /Sign in as eva/ }).waitFor(patient)
  const link = page.url()
  await page.getByText(/anna@nordwerk/).waitFor()
  await page.getByRole('button', { name: /Sign in as eva/ }).click()
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
  const stripe = page.getByText(/^You act as Eva Sonntag, signed in by anna/)
  await stripe.waitFor(patient)
  const menu = page.getByRole('navigation')
  expect(await menu.getByRole('link', { name: 'Roles' }).count()).toBe(0)

  // Her work is possible.
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).click(patient)
  await page
    .getByRole('button', { name: /^Write .*zone1\/setPoint/ })
    .first()
    .click(patient)
  const writing = page.getByRole('dialog')
  await writing.getByLabel('New value').fill('168')
  await writing.getByRole('button', { name: /Write to/ }).click()
  await writing.getByText(/Confirmed by the device: 168/).waitFor(patient)
  const machine = await ModbusReader.open(demo.machines.modbus)
  expect(await machine.holding(0)).toBe(1680)
  await machine.close()

  // How she signs in is hers alone.
  await page.goto(`${demo.url}/account?tab=security`)
  await stripe.waitFor(patient)
  await page.getByLabel('Current password').fill(personOf(demo, 'eva').password, patient)
  await page.getByLabel('New password', { exact: true }).fill('a longer pass phrase 7')
  await page.getByLabel('Repeat new password').fill('a longer pass phrase 7')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page
    .getByText('You cannot change how a person signs in while you act as them')
    .waitFor(patient)

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  // The way out goes over the portal: nothing else may be opened before it has ended.
  await page.waitForURL(/login-actions\/authenticate/, patient)
  await page.getByLabel('Password', { exact: true }).waitFor(patient)
  const again = await page.goto(link)
  expect(again?.status()).toBe(410)

  // Anna finds it in the trail, with both names; Eva's own password is as it was.
  await page.goto(`${demo.url}/?realm=nordwerk`)
  await signIn(page, personOf(demo, 'anna'))
  await insidePortal(page)
  await page.goto(`${demo.url}/log?org=nordwerk`)
  const lines = page.getByRole('row')
  const written = lines.filter({ hasText: 'Device: value written' })
  await written
    .filter({ hasText: /eva.*impersonated by anna/ })
    .first()
    .waitFor(patient)
  await lines.filter({ hasText: 'Person: acted as' }).filter({ hasText: 'anna' }).waitFor(patient)
  await page.context().close()
  const eva = await enterPortal(browser, { demo, username: 'eva' })
  expect(await eva.getByText(/^You act as/).count()).toBe(0)
  await eva.context().close()
})
