import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkIn, testMailServer } from './attack-mail.ts'
import { openBrowser, signIn } from './browser.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { patient } from './portal.ts'

const password = 'a long pass phrase 17'
const ida = { username: 'ida', password, organization: 'presswerk' }
const kai = { username: 'kai@kaltwalz.example', password }

let mail: Awaited<ReturnType<typeof testMailServer>>
let longreach: Longreach
let browser: Browser
let asIda: Calls
beforeAll(async () => {
  mail = await testMailServer()
  longreach = await startLongreach({
    env: {
      SETUP_USER: ida.username,
      SETUP_PASSWORD: password,
      SETUP_ORGANIZATION: ida.organization,
      REGISTRATION: 'open',
      REGISTRATION_PARENT: ida.organization,
      SMTP_URL: mail.url,
      MAIL_FROM: 'noreply@longreach.test',
    },
  })
  browser = await openBrowser()
  asIda = await signInByHttp(longreach.url, ida)
})
afterAll(async () => {
  await browser.close()
  await longreach.stop()
  await mail.close()
})

const publish = (type: 'TERM' | 'PRIVACY', defaultName: string, mandatory: boolean) =>
  asIda('POST', 'core/api/v1/organizations/presswerk/agreements', {
    type,
    defaultName,
    mandatory,
    texts: { en: { title: defaultName, text: `What the ${defaultName} say.` } },
  })

/** A session of its own, at the sign-in of the realm. */
async function session(person: typeof kai = kai) {
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC' })
  await page.goto(`${longreach.url}/?realm=presswerk`)
  await signIn(page, person)
  return page
}
const inside = (page: Page) =>
  page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
const asked = (page: Page) =>
  page.getByRole('heading', { name: 'Please read and accept' }).waitFor(patient)
async function accept(page: Page) {
  await asked(page)
  await page.getByRole('checkbox', { name: /House rules/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await inside(page)
}

test('a person registers, accepts, confirms by mail and enters an organization of their own [R-03] [P-05] [C-04]', async () => {
  await publish('TERM', 'House rules', true)
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'UTC' })
  await page.goto(`${longreach.url}/register`)
  await page.getByLabel('Name of the organization').fill('Kaltwalz', patient)
  await page.getByLabel('First name').fill('Kai')
  await page.getByLabel('Last name').fill('Wolf')
  await page.getByLabel('Email').fill(kai.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('You must accept this to register').waitFor(patient)
  expect(await page.getByLabel('Short name').inputValue()).toBe('kaltwalz')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
  await page.getByRole('checkbox', { name: /House rules/ }).check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor(patient)

  await page.goto(linkIn(await mail.mailTo(kai.username)))
  await page.getByRole('heading', { name: 'Confirm your registration' }).waitFor(patient)
  await expect.poll(() => page.url(), patient).toBe(`${longreach.url}/register`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor(patient)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, kai)
  await inside(page)
  await page.getByRole('button', { name: /Kaltwalz, switch organization/ }).click(patient)
  const listed = page.getByRole('listbox')
  await listed.getByText('Kaltwalz').first().waitFor(patient)
  expect(await listed.getByText('presswerk', { exact: true }).count()).toBe(0)
  await page.close()
})

test('a new version of an agreement is asked for at the next sign-in, and declining signs out [T-03] [C-14] [P-05]', async () => {
  const owner = await session(ida)
  await accept(owner)
  await owner.goto(`${longreach.url}/agreements-admin`)
  await owner.getByText('House rules').first().click(patient)
  await owner.getByRole('button', { name: 'New version' }).click(patient)
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('Wear a helmet, too.', patient)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.waitFor({ ...patient, state: 'hidden' })
  await owner.close()

  const declining = await session()
  await asked(declining)
  expect(new URL(declining.url()).pathname).toBe('/agreements')
  await declining.getByText('Wear a helmet, too.').waitFor()
  await declining.getByRole('button', { name: 'Continue' }).click()
  await declining.getByText('You need to accept this to go on').waitFor(patient)
  await declining.getByRole('button', { name: 'Decline and sign out' }).click()
  await declining.getByLabel('Password', { exact: true }).waitFor(patient)

  await signIn(declining, kai)
  await accept(declining)
  await declining.close()
  const next = await session()
  await inside(next)
  await next.close()
})

test('an agreement that is not mandatory is asked for once in each session [T-03] [C-14]', async () => {
  await publish('PRIVACY', 'Newsletter', false)
  for (let times = 0; times < 2; times += 1) {
    const page = await session()
    await asked(page)
    await page.getByRole('button', { name: 'Not now' }).click()
    await inside(page)
    await page.reload()
    await inside(page)
    expect(new URL(page.url()).pathname).not.toBe('/agreements')
    await page.close()
  }
})
