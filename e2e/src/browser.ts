import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumFlags, chromiumPath } from '../../scripts/chromium.ts'

const browsers: Browser[] = []

/** The pages that are open now, in every browser of this file. */
export const openPages = () =>
  browsers.flatMap((browser) => browser.contexts()).flatMap((context) => context.pages())

/** A real browser, without a display. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (!executablePath) throw new Error('No Chromium: npm test installs it or says how')
  const browser = await chromium.launch({ executablePath, args: chromiumFlags })
  browsers.push(browser)
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    // Without motion nothing is drawn anew sixty times a second, and a page is still at once.
    const context = await newContext({ reducedMotion: 'reduce', ...options })
    // A long time limit costs nothing when the element appears early, and a machine may be busy.
    context.setDefaultTimeout(60_000)
    return context
  }
  return browser
}

/** Fill the login page of identity and go on to the portal. */
export async function signIn(page: Page, person: { username: string; password: string }) {
  await page.getByLabel('User name').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
