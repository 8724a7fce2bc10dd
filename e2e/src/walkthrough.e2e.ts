import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { faultsOf, overflowOf, patient, phone } from './portal.ts'
import { type Program, startProgram } from './program.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7' }

let longreach: Longreach
let browser: Browser
let page: Page
let folder: string
let agent: Program | undefined
beforeAll(async () => {
  longreach = await startLongreach({
    env: { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password },
  })
  browser = await openBrowser()
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-walk-'))
  page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC', colorScheme: 'dark' })
  await page.goto(longreach.url)
  await signIn(page, owner)
})
afterAll(async () => {
  await browser.close()
  await agent?.stop()
  await longreach.stop()
  await rm(folder, { recursive: true, force: true })
})

test('from an empty installation to a live chart by the walkthrough [R-11] [C-20]', async () => {
  await page.getByRole('link', { name: 'Start walkthrough' }).click(patient)
  await page.getByText('A simulated machine').click(patient)
  await page.setViewportSize(phone)
  expect(await faultsOf(page, 'walkthrough 1')).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Next' }).click()

  await page.getByRole('textbox', { name: 'Name' }).fill('oven-1')
  await expect.poll(() => page.url(), patient).toContain('oven-1')
  await page.reload()
  const named = () => page.getByRole('textbox', { name: 'Name' }).inputValue()
  await expect.poll(named, patient).toBe('oven-1')
  await page.getByRole('button', { name: 'Create device' }).click(patient)

  await page.getByRole('button', { name: 'Show activation key' }).click(patient)
  const command = await page
    .locator('code')
    .filter({ hasText: /^npm run edge/ })
    .textContent(patient)
  const [, words = ''] = (command ?? '').split(' -- ')
  expect(words).toMatch(/ --simulate$/)
  agent = startProgram('apps/edge/src/main.ts', words.split(' '), { cwd: folder })
  await page.getByText('The device is connected').waitFor(patient)
  expect(await faultsOf(page, 'walkthrough 3')).toEqual([])
  await page.getByRole('button', { name: 'Next' }).click()

  const door = page.getByRole('checkbox', { name: /oven\.doorOpen/ })
  await door.click(patient)
  await expect.poll(() => door.isChecked()).toBe(false)
  await page.getByRole('button', { name: /^Use \d+ values$/ }).click(patient)

  await page.getByText(/^\d+ values arrive$/).waitFor(patient)
  await page.locator('.u-over').first().waitFor(patient)
  expect(await faultsOf(page, 'walkthrough 5')).toEqual([])
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/walk-5.png` })
  await page.reload()
  await page.getByRole('button', { name: /Select values/ }).click(patient)
  await page.getByText(/has the preset/).waitFor(patient)
  await page.getByRole('button', { name: /View the chart/ }).click()
  await page.getByRole('link', { name: 'Open device' }).click(patient)
  await page.getByRole('heading', { name: 'oven-1', level: 1 }).waitFor(patient)
})
