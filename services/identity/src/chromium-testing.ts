import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const executablePath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((one) => one !== '' && existsSync(one))

/** A real browser without a display, that waits as long as a busy machine needs. */
export async function testChromium(...args: string[]) {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(60_000)
    return context
  }
  return browser
}
