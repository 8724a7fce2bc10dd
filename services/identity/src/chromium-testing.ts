import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const executablePath = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((one) => one !== '' && existsSync(one))

/** Headless Chromium with timeouts that are long enough for a busy machine. */
export async function testChromium(...args: string[]) {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(60_000)
    return context
  }
  return browser
}
