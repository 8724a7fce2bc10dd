import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, earlyInStep } from './attack-account.ts'
import { openBrowser } from './browser.ts'
import { personOf, tokensByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { enterPortal, insidePortal, patient } from './portal.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('edited')
})
afterAll(() => browser.close())

test('an authenticator is set up, asked for at the next sign-in, and a recovery code helps out [T-11] [C-18]', async () => {
  const page = await enterPortal(browser, { demo, username: 'luca' })
  await page.goto(`${demo.url}/account?tab=security`)
  await page.getByRole('button', { name: 'Add an authenticator app' }).click(patient)
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.locator('code').textContent(patient)) ?? ''
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.locator('[id*=error]').first().waitFor(patient)
  // The code of the step before, so that the one of this step is still unused.
  await earlyInStep()
  await dialog.getByLabel('Code from the app').fill(codeOf(secret, -1))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const codes = dialog.getByRole('list').getByRole('listitem')
  await codes.first().waitFor(patient)
  expect(await codes.count()).toBe(10)
  const [recovery = ''] = await codes.allTextContents()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('10 left · since').waitFor(patient)
  await page.context().close()

  for (const helper of ['app', 'recovery']) {
    const again = await browser.newPage({ locale: 'en-US' })
    const { username, password } = personOf(demo, 'luca')
    await again.goto(`${demo.url}/?realm=acqua`)
    await again.locator('input[autocomplete~=username]').fill(username)
    await again.locator('input[type=password]').fill(password)
    await again.keyboard.press('Enter')
    await again.locator('input[autocomplete=one-time-code]').waitFor(patient)
    expect(again.url()).toContain('/auth/')
    if (helper === 'recovery') {
      await again
        .getByRole('link', { name: /recovery/i })
        .or(again.getByRole('button', { name: /recovery/i }))
        .first()
        .click()
      await again.locator('form input:not([type=hidden])').first().fill(recovery)
    } else await again.locator('input[autocomplete=one-time-code]').fill(codeOf(secret))
    await again.keyboard.press('Enter')
    await insidePortal(again)
    await again.close()
  }
})

test('a changed password ends every other session, and the other tab notices by itself [T-15] [C-18]', async () => {
  const page = await enterPortal(browser, { demo, username: 'max' })
  const other = await enterPortal(browser, { demo, username: 'max' })
  await page.goto(`${demo.url}/account?tab=security`)
  const { password } = personOf(demo, 'max')
  await page.getByLabel('Current password').fill('not this one', patient)
  await page.getByLabel('New password', { exact: true }).fill('a longer pass phrase 7')
  await page.getByLabel('Repeat new password').fill('a longer pass phrase 7')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText(/current password is not correct/i).waitFor(patient)
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).not.toBe('')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor(patient)
  // The other browser learns of it with its next call.
  const signedOut = other.locator('input[type=password]').waitFor(patient)
  await other
    .getByRole('link', { name: 'Data explorer' })
    .click({ timeout: 5_000 })
    .catch(() => undefined) // it has noticed by itself already
  await signedOut
  await page.goto(`${demo.url}/account?tab=sessions`)
  await page.getByText('This session').waitFor(patient)
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0)
  await page.context().close()
  await other.context().close()
})

test('signing out in one tab is seen in the other [T-06] [T-15]', async () => {
  const page = await enterPortal(browser, { demo, username: 'eva' })
  const second = await page.context().newPage()
  await second.goto(`${demo.url}/devices`)
  await insidePortal(second)
  await page
    .getByRole('button', { name: /^Eva/ })
    .or(page.getByRole('button', { name: /eva/i }))
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await second.locator('input[type=password]').waitFor(patient)
  await page.context().close()
})

test('a session that ends by itself leaves what is typed, which is saved after a new sign-in [T-15]', async () => {
  const page = await enterPortal(browser, { demo, username: 'dario' })
  await page.clock.install()
  await page.goto(`${demo.url}/account`)
  const name = page.getByLabel('First name')
  await name.fill('Dario Typed', patient)
  // The computer sleeps for longer than a session lives unused, and meanwhile it ends.
  await page.context().setOffline(true)
  await page.clock.setSystemTime(Date.now() + 40 * 60_000)
  const person = personOf(demo, 'dario')
  const { access_token: token } = await tokensByHttp(demo.url, person)
  const ended = await fetch(`${demo.url}/auth/realms/nordwerk/account/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(ended.status).toBe(204)
  await page.context().setOffline(false)
  const cover = page.getByRole('dialog', { name: 'You are signed out' })
  const noticed = async () => {
    await page.clock.fastForward(61_000) // to where the token is renewed again
    return cover.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false, // the answer is slow, or the browser not yet back
    )
  }
  await expect.poll(noticed, patient).toBe(true)
  const opened = page.context().waitForEvent('page', patient)
  await cover.getByRole('button', { name: 'Sign in again' }).click(patient)
  const beside = await opened
  await beside.locator('input[type=password]').fill(person.password, patient)
  await beside.keyboard.press('Enter')
  await cover.waitFor({ ...patient, state: 'detached' })
  expect(await name.inputValue()).toBe('Dario Typed')
  await page.getByRole('button', { name: 'Save' }).click(patient)
  await page.getByText('Saved.', { exact: true }).waitFor(patient)
  await page.context().close()
})

test('preferences go with the person to another browser [E-09] [T-04]', async () => {
  const page = await enterPortal(browser, { demo, username: 'tom' })
  await page.goto(`${demo.url}/account?tab=preferences`)
  await page.getByText('Dark', { exact: true }).click(patient)
  await page.getByText('Compact', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo')
  const kept = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/properties/look') &&
      (answer.request().postData() ?? '').includes('Asia/Tokyo'),
    patient,
  )
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await kept
  const other = await enterPortal(browser, { demo, username: 'tom' })
  await other.goto(`${demo.url}/account?tab=preferences`)
  await expect
    .poll(() => other.locator('html').getAttribute('data-mantine-color-scheme'), patient)
    .toBe('dark')
  await expect
    .poll(() => other.getByRole('combobox', { name: 'Time zone' }).inputValue(), patient)
    .toBe('Asia/Tokyo')
  await page.context().close()
  await other.context().close()
})
