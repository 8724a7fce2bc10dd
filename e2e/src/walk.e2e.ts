import { ModbusReader } from './modbus.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { deviceIsSettled, personOf, signInByHttp } from './calls.ts'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { patient, still } from './portal.ts'

let longreach: Longreach
let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  longreach = await startLongreach({ first: true, program: 'demo', env: { DEMO_FLEET: 'on' } })
  browser = await openBrowser()
  demo = await demoFile(longreach)
})
afterAll(async () => {
  await browser.close()
  await longreach.stop()
})

async function enter(username: string): Promise<{ context: BrowserContext; page: Page }> {
  const person = personOf(demo, username)
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })
  // At its own origin identity is no third party: no sign-in waits for the frames that would find out.
  await context.route('**/3p-cookies/**', (route) => route.abort())
  const page = await context.newPage()
  await page.goto(`${demo.url}/?realm=${person.organization.split('.')[0] ?? ''}`)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
  return { context, page }
}

test('the builder sees the ovens it sold come online, and a customer only its own [R-10] [P-02]', async () => {
  type Found = { data: { label: string; connected: boolean }[] }
  const ovensOf = async (username: string) => {
    const person = personOf(demo, username)
    const ask = await signInByHttp(demo.url, person)
    const address = `mappings/api/v1/devices?organization=${person.organization}.*&search=oven-&pageSize=100`
    return async () => (await ask<Found>('GET', address)).data
  }
  const [builders, plants] = await Promise.all([ovensOf('anna'), ovensOf('eva')])
  await expect
    .poll(async () => (await builders()).filter(({ connected }) => connected).length, patient)
    .toBeGreaterThan(7)
  const seen = (await builders()).map(({ label }) => label)
  expect(seen).toEqual(expect.arrayContaining(['oven-innsbruck', 'oven-sevilla', 'oven-line-1']))
  const own = (await plants()).map(({ label }) => label)
  expect(own.toSorted()).toEqual(['oven-erfurt-1', 'oven-erfurt-2', 'oven-line-1'])
})

test('a set-point written from the portal changes the register of the machine [C-20] [C-22 in part]', async () => {
  await deviceIsSettled(demo, 'eva', 'oven-line-1')
  const { context, page } = await enter('eva')
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).click(patient)
  await page.getByRole('heading', { name: 'oven-line-1', level: 1 }).waitFor()
  await page
    .getByRole('button', { name: /^Write .*zone1\/setPoint/ })
    .first()
    .click(patient)
  const dialog = page.getByRole('dialog')
  // The limits of the model, in which this is no large change at any hour.
  await dialog.getByText(/20.*250/).waitFor(patient)
  await dialog.getByLabel('New value').fill('173')
  await dialog.getByRole('button', { name: /Write to/ }).click()
  await dialog.getByText(/Confirmed by the device: 173/).waitFor(patient)
  const machine = await ModbusReader.open(demo.machines.modbus)
  expect(await machine.holding(0)).toBe(1730)
  await machine.close()
  await context.close()
})

test('a month of history is zoomed by drag, and the address holds the view [R-16]', async () => {
  const { context, page } = await enter('eva')
  await page.goto(`${demo.url}/data-explore`)
  // No device is open before it is chosen.
  await page.getByRole('treeitem', { name: /oven-line-1/ }).click(patient)
  const temperature = page.getByRole('treeitem', { name: /Temperature/ }).first()
  await temperature.click(patient)
  await page.getByRole('button', { name: 'Last hour' }).click()
  await page.getByText('Last 30 days').click()
  const plot = page.locator('.u-over').first()
  await plot.waitFor(patient)
  const before = page.url()
  const drag = async () => {
    const box = await plot.boundingBox()
    if (!box) throw new Error('The chart has no size')
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 8 })
    await page.mouse.up()
    await still(page)
    return page.url()
  }
  // A chart that is drawn anew meanwhile loses what was dragged.
  await expect.poll(drag, patient).not.toBe(before)
  const copy = await context.newPage()
  await copy.goto(page.url())
  await copy.locator('.u-over').first().waitFor(patient)
  await context.close()
})

test('a person switches to an organization below without signing in again [P-01] [T-01]', async () => {
  const { context, page } = await enter('anna')
  await page.getByRole('button', { name: /switch organization/ }).click()
  const choices = page.getByRole('dialog').getByRole('option')
  await choices.filter({ hasText: 'Sonnenkorn Bakery' }).first().click(patient)
  await page
    .getByRole('button', { name: /Sonnenkorn Bakery, switch organization/ })
    .waitFor(patient)
  await page.getByRole('link', { name: 'oven-line-1', exact: true }).waitFor(patient)
  await context.close()
})

test('another organization sees nothing of it [A-05]', async () => {
  const { context, page } = await enter('luca')
  await page.getByRole('link', { name: 'pump-station-3', exact: true }).waitFor(patient)
  expect(await page.getByText('oven-line-1').count()).toBe(0)
  await context.close()
})

test('signing out in one tab ends the other and clears what the tab kept [T-06] [T-15] [N-05]', async () => {
  const { context, page } = await enter('max')
  const other = await context.newPage()
  await other.goto(`${demo.url}/devices`)
  await other.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).toSorted())
  await page.evaluate(() => sessionStorage.setItem('longreach.castDeviceMessage', 'seen'))
  expect(await kept()).toEqual(
    expect.arrayContaining(['longreach.castDeviceMessage', 'longreach.scope']),
  )
  await page.getByRole('button', { name: /Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await other.getByLabel('Password', { exact: true }).waitFor(patient)
  await page.getByLabel('Password', { exact: true }).waitFor(patient)
  const left = await kept()
  expect(left).not.toContain('longreach.scope')
  expect(left).not.toContain('longreach.castDeviceMessage')
  await context.close()
})
