import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, personOf, signInByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { enterPortal, goTo, patient } from './portal.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
let call: Calls
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('edited')
  call = await signInByHttp(demo.url, personOf(demo, 'anna'))
  page = await enterPortal(browser, { demo, username: 'anna' })
})
afterAll(() => browser.close())

type Listed = { content: { id: number; name: string; label: string; type: string }[] }
const org = 'core/api/v1/organizations/nordwerk'
const slowly = { timeout: 60_000 }
const listOf = async (what: string) =>
  (await call<Listed>('GET', `${org}/${what}?pageSize=100`)).content
const textOf = async (what: string) => JSON.stringify(await listOf(what))

test('every role is duplicated, and the copy described and saved [R-14]', async () => {
  const roles = await listOf('roles')
  expect(roles.length).toBeGreaterThan(0)
  for (const { id, name } of roles) {
    await goTo(page, demo.url, `/roles/${id}`)
    await page.getByRole('button', { name: 'Duplicate' }).click(patient)
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click(patient)
    await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`), slowly)
    const text = page.getByRole('textbox', { name: 'Description' })
    await text.fill(`Looked at ${name}`, patient)
    await page.getByRole('button', { name: 'Save role' }).click(patient)
    await expect.poll(() => textOf('roles'), slowly).toContain(`Looked at ${name}`)
  }
})

test('every group of people is renamed and saved [R-13]', async () => {
  const groups = (await listOf('userGroups')).filter(({ type }) => type === 'STANDARD')
  expect(groups.length).toBeGreaterThan(0)
  for (const { id, name } of groups) {
    await goTo(page, demo.url, `/permission/groups?group=${id}`)
    const panel = page.getByRole('complementary', { name })
    await panel.getByRole('textbox', { name: 'Name' }).fill(`${name} 2`, patient)
    await panel.getByRole('button', { name: 'Save', exact: true }).click(patient)
    await expect.poll(() => textOf('userGroups'), slowly).toContain(`${name} 2`)
  }
})

test('every device group is renamed and saved', async () => {
  const groups = (await listOf('securityPolicies')).filter(({ type }) => type === 'STANDARD')
  expect(groups.length).toBeGreaterThan(0)
  for (const { id, name } of groups) {
    await goTo(page, demo.url, `/devices/groups/${id}`)
    await page.getByRole('button', { name: 'Rename' }).click(patient)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(`${name} 2`, patient)
    await dialog.getByRole('button', { name: 'Save name' }).click(patient)
    await expect.poll(() => textOf('securityPolicies'), slowly).toContain(`${name} 2`)
  }
})
