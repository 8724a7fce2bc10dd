import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, signIn } from './browser.ts'
import { type Longreach, startLongreach } from './longreach.ts'

let longreach: Longreach
let browser: Browser
beforeAll(async () => {
  longreach = await startLongreach({ first: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await longreach.stop()
})

test('the first run makes an owner with the token of the console, and leads to the devices [P-01]', async () => {
  const [, token = ''] = await longreach.printed(/one-time token:\n\n {2}(\S+)/)
  const page = await browser.newPage()
  await page.goto(longreach.url)
  await page.getByRole('heading', { name: 'Set up Longreach' }).waitFor()
  const person = { username: 'ida', password: 'a pass phrase for tests' }
  await page.getByLabel('Setup token').fill('wrong-token')
  await page.getByLabel('Display name').fill('Presswerk Nord')
  await page.getByLabel('Short name').fill('presswerk')
  await page.getByLabel('First name').fill('Ida')
  await page.getByLabel('Last name').fill('Holm')
  await page.getByLabel('User name').fill(person.username)
  await page.getByLabel('Email').fill('ida@presswerk.example')
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByText('Wrong setup token. Enter the one that the server printed last').waitFor()
  expect(await page.getByLabel('Display name').inputValue()).toBe('Presswerk Nord')

  await page.getByLabel('Setup token').fill(token)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByText('Longreach is ready').waitFor()
  await page
    .getByRole('button', { name: 'Sign in', exact: true })
    .or(page.getByRole('link', { name: 'Sign in' }))
    .click()
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  await page.getByText('No devices yet').waitFor()
  expect(await fetch(`${longreach.url}/svc/core/api/v1/setup`).then((r) => r.json())).toEqual({
    needed: false,
  })
  await page.close()
})
