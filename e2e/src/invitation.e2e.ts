import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkIn, testMailServer } from './attack-mail.ts'
import { openBrowser, signIn } from './browser.ts'
import { signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, patient } from './portal.ts'

const password = 'a long pass phrase 17'
const other = 'another pass phrase 23'
const ida = { username: 'ida', password, organization: 'presswerk' }
const plant = 'presswerk.coating'

let mail: Awaited<ReturnType<typeof testMailServer>>
let withMail: House
let without: House
let browser: Browser
beforeAll(async () => {
  mail = await testMailServer()
  withMail = await startHouse({ SMTP_URL: mail.url, MAIL_FROM: 'noreply@longreach.test' })
  without = await startHouse()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await withMail.longreach.stop()
  await without.longreach.stop()
  await mail.close()
})

/** A server whose owner has a plant below the organization. */
async function startHouse(env: Record<string, string> = {}) {
  const setup = {
    SETUP_USER: ida.username,
    SETUP_PASSWORD: password,
    SETUP_ORGANIZATION: ida.organization,
  }
  const longreach: Longreach = await startLongreach({ env: { ...setup, ...env } })
  const call = await signInByHttp(longreach.url, ida)
  const body = { name: 'coating', label: 'Coating plant' }
  await call('POST', 'core/api/v1/organizations/presswerk', body)
  return { longreach, url: longreach.url, people: [ida] }
}
type House = Awaited<ReturnType<typeof startHouse>>

/** Invites a person as a viewer of the plant, on the page of people, as the owner. */
async function invite(house: House, username: string) {
  const page = await enterPortal(browser, { demo: house, username: 'ida' })
  await page.goto(`${house.url}/permission?org=${plant}`)
  await page.getByRole('button', { name: /Coating plant, switch organization/ }).waitFor(patient)
  // The list is there, and the page changes no more.
  await page.getByText(/\d+ of \d+ people/).waitFor(patient)
  await page.getByRole('button', { name: 'Invite person' }).click(patient)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(`${username}@coating.example`)
  await dialog.getByLabel('User name').fill(username)
  await dialog.getByLabel('Roles').first().click()
  await page.getByRole('option', { name: 'Viewer' }).click(patient)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  return page
}

/** Follow an invitation: name and password chosen, signed in with them. */
async function accept(page: Page, link: string, person: { username: string; password: string }) {
  const { username, password: chosen } = person
  await page.goto(link)
  await page.getByRole('heading', { name: 'Welcome to Coating plant' }).waitFor(patient)
  await page.getByText(`${username}@presswerk`).waitFor()
  await page.getByLabel('First name').fill('Noa')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Password', { exact: true }).fill(chosen)
  await page.getByLabel('Repeat the password').fill(chosen)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await toPortal(page, person)
}

async function toPortal(page: Page, person: { username: string; password: string }) {
  await page.getByRole('heading', { name: 'Password saved' }).waitFor(patient)
  await page.getByRole('link', { name: 'Go to the portal' }).click()
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor(patient)
}

/** A new password by the link, typed differently at first. */
async function choosePassword(page: Page, link: string, username: string) {
  await page.goto(link)
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor(patient)
  await page.getByLabel('New password', { exact: true }).fill(other)
  await page.getByLabel('Repeat the new password').fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The passwords do not match').waitFor(patient)
  await page.getByLabel('New password', { exact: true }).fill(other)
  await page.getByLabel('Repeat the new password').fill(other)
  await page.getByRole('button', { name: 'Save password' }).click()
  await toPortal(page, { username, password: other })
}

/** Page of a browser in which no person has signed in yet. */
const freshPage = () => browser.newPage({ locale: 'en-US', timezoneId: 'UTC' })

async function mayOnlyView(page: Page, house: House, username: string) {
  await page.getByRole('button', { name: /Coating plant, switch organization/ }).click(patient)
  const choices = page.getByRole('listbox').getByRole('option')
  await choices.first().waitFor(patient)
  for (const choice of await choices.allTextContents()) {
    expect(choice).toContain('Coating plant')
    expect(choice).toContain('Viewer')
  }
  await page.keyboard.press('Escape')
  const menu = page.getByRole('navigation')
  expect(await menu.getByRole('link', { name: 'People and groups' }).count()).toBe(0)
  expect(await menu.getByRole('link', { name: 'Roles' }).count()).toBe(0)
  const call = await signInByHttp(house.url, { username, password, organization: plant })
  await call('GET', `mappings/api/v1/devices?organization=${plant}`)
  const refused = [
    ['GET', `core/api/v1/organizations/${plant}/users`, '403'],
    ['POST', `core/api/v1/organizations/${plant}/userGroups`, '403'],
    ['GET', 'core/api/v1/organizations/presswerk/users', '40[34]'],
    ['GET', 'mappings/api/v1/devices?organization=presswerk', '40[34]'],
  ] as const
  for (const [method, path, status] of refused) {
    const body = method === 'POST' ? { name: 'Mine' } : undefined
    await expect(call(method, path, body)).rejects.toThrow(new RegExp(`: ${status} `))
  }
}

test('an invitation by mail leads to the organization and the rights that were given, and works once [R-13] [C-06]', async () => {
  const owner = await invite(withMail, 'noa')
  await owner.getByRole('dialog').waitFor({ ...patient, state: 'hidden' })
  await owner.getByText('noa@coating.example').first().waitFor(patient)
  await owner.context().close()
  const link = linkIn(await mail.mailTo('noa@coating.example'))
  const page = await freshPage()
  await accept(page, link, { username: 'noa', password })
  await mayOnlyView(page, withMail, 'noa')
  const late = await freshPage()
  await late.goto(link)
  await late.getByRole('heading', { name: 'This link has expired' }).waitFor(patient)
  await late.close()
  await page.close()
})

test('a forgotten password is replaced by a mailed link; an unknown name is answered alike [R-03] [C-18]', async () => {
  const page = await freshPage()
  for (const name of ['nobody', 'noa']) {
    await page.goto(`${withMail.url}/?realm=presswerk`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click(patient)
    await page.getByLabel('User name or email address').fill(name)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText(`If an account exists for ${name}, a link is sent`).waitFor(patient)
  }
  const link = linkIn(await mail.mailTo('noa@coating.example', /A new password was requested/))
  expect(
    mail.taken.filter(({ text }) => text.includes('A new password was requested')),
  ).toHaveLength(1)
  await choosePassword(page, link, 'noa')
  const before = await freshPage()
  await before.goto(`${withMail.url}/?realm=presswerk`)
  await signIn(before, { username: 'noa', password })
  await before.getByText('Incorrect user name or password').waitFor(patient)
  await before.close()
  await page.close()
})

test('without a mail server the links are shown once, to hand over [R-13] [C-06]', async () => {
  const owner = await invite(without, 'per')
  const dialog = owner.getByRole('dialog')
  await dialog.getByText('No mail server is set up').waitFor(patient)
  const link = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await owner.getByText('per@coating.example').first().waitFor(patient)
  const page = await freshPage()
  await accept(page, link, { username: 'per', password })
  await mayOnlyView(page, without, 'per')
  await page.close()

  const forgetful = await freshPage()
  await forgetful.goto(`${without.url}/?realm=presswerk`)
  await forgetful.getByRole('link', { name: 'Forgot your password?' }).click(patient)
  await forgetful.getByText('Ask your administrator for a link').waitFor(patient)
  await owner.reload()
  await owner.getByText('per@coating.example').first().click(patient)
  await owner.getByRole('button', { name: 'New link' }).click(patient)
  const handed = owner.getByRole('dialog').locator('code')
  const renewed = (await handed.textContent(patient)) ?? ''
  expect(renewed).not.toBe(link)
  await accept(forgetful, renewed, { username: 'per', password: other })
  await forgetful.close()
  await owner.context().close()
})
