import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from './asking.ts'
import { openBrowser } from './browser.ts'
import { personOf, signInByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { enterPortal, patient } from './portal.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('demo')
})
afterAll(() => browser.close())

type Listed = { content: { id: number; name: string; label: string }[] }

test('a role is copied, changed with its impact shown, and counts at once [R-14] [A-03 in part] [E-05] [C-09]', async () => {
  const asAnna = await signInByHttp(demo.url, personOf(demo, 'anna'))
  const org = 'core/api/v1/organizations/nordwerk.sonnenkorn'
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await page.goto(`${demo.url}/roles?org=nordwerk.sonnenkorn`)
  await page.getByRole('link', { name: 'Viewer' }).click(patient)
  await page.getByText('Built-in roles cannot be changed').waitFor(patient)
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('dialog').getByLabel('Label').fill('Night shift')
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor(patient)

  // Nina works by this role from now on, and by no other.
  const organization = 'nordwerk.sonnenkorn'
  const nina = await join(asAnna, { organization, username: 'nina', roles: ['app_viewer'] })
  const roles = (await asAnna<Listed>('GET', `${org}/roles?pageSize=100`)).content
  const night = roles.find(({ label }) => label === 'Night shift')?.id ?? 0
  const viewer = roles.find(({ name }) => name === 'app_viewer')?.id ?? 0
  const groups = `${org}/userGroups?userId=${nina.id}`
  const own = (await asAnna<Listed>('GET', `${groups}&type=SELF_USER_ANY`)).content[0]
  await asAnna('POST', `${org}/userGroups/${own?.id ?? 0}/roles/${night}`)
  const asNina = await signInByHttp(demo.url, nina)
  for (const { id } of (await asAnna<Listed>('GET', groups)).content) {
    await asAnna('DELETE', `${org}/userGroups/${id}/roles/${viewer}`).catch(() => undefined) // most do not have it
  }
  await asNina('GET', 'mappings/api/v1/models?organization=nordwerk.sonnenkorn')

  await page.reload()
  await page.getByRole('checkbox', { name: 'Models: view' }).uncheck(patient)
  await page.getByRole('checkbox', { name: 'Audit trail: view' }).check()
  await page.getByText('1 person loses 1 permission.').waitFor(patient)
  await page.getByText('1 person gains 1 permission.').waitFor()
  await page.getByRole('button', { name: 'Save role' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Models: view').waitFor(patient)
  await dialog.getByRole('button', { name: 'Save role' }).click()
  await page.getByText('“Night shift” was saved.').waitFor(patient)
  const models = () =>
    asNina('GET', 'mappings/api/v1/models?organization=nordwerk.sonnenkorn').catch(String)
  await expect.poll(models, patient).toContain('403')

  await page.getByRole('tab', { name: 'Assigned to' }).click()
  await page.getByText('nina').first().waitFor(patient)
  await page.context().close()
})

test('what was typed stays when another person changed the role meanwhile', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await page.goto(`${demo.url}/roles?org=nordwerk`)
  await page.getByRole('button', { name: 'New role' }).click(patient)
  await page.getByLabel('Label').fill('Ünfinished')
  await page.getByLabel('Name', { exact: true }).fill('not a name!')
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByText(/Use letters, digits, dots, dashes and _/).waitFor(patient)
  expect(await page.getByLabel('Label').inputValue()).toBe('Ünfinished')
  await page.getByLabel('Name', { exact: true }).fill('unfinished')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ünfinished', level: 1 }).waitFor(patient)
  await page.getByLabel('Description').fill('Typed, not saved')
  await page.getByText('No person’s permissions change.').waitFor(patient)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('Description').inputValue(), patient).toBe('')
  await page.context().close()
})

test('the rights table is walked with the arrow keys', async () => {
  const page = await enterPortal(browser, { demo, username: 'anna' })
  await page.goto(`${demo.url}/roles?org=nordwerk`)
  await page.getByRole('link', { name: 'Operator' }).click(patient)
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.split('.')[0])
  await page.getByRole('checkbox', { name: /^Devices: view/ }).focus(patient)
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused, patient).toBe('Devices: create')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused, patient).toBe('Models: create')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused, patient).toBe('Alarms: create')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused, patient).toBe('Triggers: create')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused, patient).toBe('People: create')
  await page.context().close()
})
