import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { type Program, startProgram } from './program.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7' }
const patient = { timeout: 60_000 }

let longreach: Longreach
let browser: Browser
let folder: string
let agent: Program | undefined
beforeAll(async () => {
  longreach = await startLongreach({
    env: { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password },
  })
  browser = await openBrowser()
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-agent-'))
})
afterAll(async () => {
  await browser.close()
  await agent?.stop()
  await longreach.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a device is added, its agent pairs with the shown command, and its first value appears [R-10] [C-20] [C-22 in part]', async () => {
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC' })
  await page.goto(longreach.url)
  await signIn(page, owner)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
  await page.getByRole('button', { name: 'Add device' }).first().click(patient)

  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('line-7')
  await dialog.getByRole('button', { name: 'Create device' }).click()
  await dialog.getByRole('button', { name: 'Show activation key' }).click(patient)
  await dialog.getByText('Waiting for the device').waitFor(patient)
  const texts = await dialog.locator('code').allTextContents()
  const [key = ''] = texts
  const command = texts.find((text) => text.startsWith('npm run edge')) ?? ''
  expect(command).toBe(`npm run edge -- --activation-key ${key} --endpoint ${longreach.url}`)

  const [, words = ''] = command.split(' -- ')
  agent = startProgram('apps/edge/src/main.ts', words.split(' '), { cwd: folder })
  await dialog.getByText('Paired and connected').waitFor(patient)
  const all = dialog.getByRole('button', { name: /^Use all \d+ data points$/ })
  await all.click(patient)
  await dialog.getByText('First value received').waitFor(patient)
  await dialog.getByRole('link', { name: 'Open device' }).click()

  await page.getByRole('heading', { name: 'line-7', level: 1 }).waitFor(patient)
  const uptime = page.getByRole('listitem').filter({ hasText: 'host_uptime' }).first()
  const shown = () => uptime.locator('[data-state] b').textContent(patient)
  const first = await shown()
  expect(first).toMatch(/\d/)
  await expect.poll(shown, patient).not.toBe(first)

  await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
  const row = page.getByRole('row').filter({ hasText: 'line-7' })
  await row.getByText(/Online for/).waitFor(patient)

  await agent.stop()
  await row.getByText(/Offline for/).waitFor(patient)
  await page.close()
})
