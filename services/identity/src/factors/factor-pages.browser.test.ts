import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testChromium } from '../chromium-testing.ts'
import { factorTest, type FactorTest } from './factor-testing.ts'
import { authorizeUrl, goodPassword, pkce } from '../testing.ts'
import { type Language, say } from '../pages/words.ts'

/** Folder for screenshots of the pages; without it none are taken. */
const pictures = process.env['PICTURES']

let it: FactorTest
let browser: Browser

beforeAll(async () => {
  it = await factorTest()
  browser = await testChromium()
})
afterAll(async () => {
  await browser?.close()
  await it?.server.close()
})

/** The smaller of axe's two builds: every page is given it, and reads it in half the time. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Faults against WCAG 2.2 AA on the page as it is shown. */
async function faults(page: Page) {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

type Look = { language: Language; colorScheme: 'light' | 'dark'; width: number; fits?: true }

/** Typing before the page has set the focus would be lost. */
const keyboardStands = (page: Page) => page.locator(':focus').waitFor()

/** The page fits the width, has no fault of accessibility, and the focus is on the next field. */
async function inspect(page: Page, name: string, { language, colorScheme, width, fits }: Look) {
  const at = [name, language, colorScheme, width].join(' ')
  await keyboardStands(page)
  if (!fits) expect([at, await faults(page)]).toEqual([at, []])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect([at, wide <= width]).toEqual([at, true])
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
  if (pictures) {
    const path = `${pictures}/${at.replaceAll(' ', '-')}.png`
    await page.screenshot({ path, fullPage: true })
  }
}

/** The last two are there for their words: faults in those colours and widths are found before. */
const looks: Look[] = [
  { language: 'en', colorScheme: 'light', width: 1280 },
  { language: 'de', colorScheme: 'dark', width: 390 },
  { language: 'es', colorScheme: 'light', width: 390 },
  { language: 'fr', colorScheme: 'dark', width: 1280, fits: true },
  { language: 'it', colorScheme: 'dark', width: 390, fits: true },
]

test.each(looks)(
  'the pages of second factors are clean in %j, by keyboard alone [T-11] [R-04] [N-05]',
  async (look) => {
    const { language, colorScheme, width } = look
    const t = (word: Parameters<typeof say>[1]) => say(language, word)
    const { sub } = await it.person(`${language}${width}`)
    await it.server.calls.updateAccount({
      params: { sub },
      body: { temporaryPassword: true, requiredActions: ['CONFIGURE_TOTP'] },
    })
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      // The check of accessibility is put into the page, which allows no foreign script.
      bypassCSP: true,
    })
    const page = await context.newPage()
    const changes = { code_challenge: pkce().challenge, ui_locales: language }
    await page.goto(authorizeUrl(it.server, it.realm, changes))
    await page.getByRole('button', { name: t('passkeySignIn') }).waitFor()
    await inspect(page, 'password', look)
    await page.keyboard.type(`${language}${width}`)
    await page.keyboard.press('Tab')
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: t('totpTitle') }).waitFor()
    await inspect(page, 'totp', look)
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await inspect(page, 'totp-wrong', look)
    const secret = ((await page.locator('.help code').textContent()) ?? '').replaceAll(' ', '')
    await page.keyboard.type(it.code(secret))
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: t('codesTitle') }).waitFor()
    await inspect(page, 'codes', look)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: t('updatePasswordTitle') }).waitFor()
    await inspect(page, 'new-password', look)
    await page.keyboard.type('short')
    await page.keyboard.press('Tab')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await inspect(page, 'new-password-wrong', look)
    for (const key of ['harbour-lamp-kettle', '', 'harbour-lamp-kettle']) {
      await (key ? page.keyboard.type(key) : page.keyboard.press('Tab'))
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/#.*code=/)

    await context.clearCookies()
    await page.goto(authorizeUrl(it.server, it.realm, changes))
    await page.getByRole('button', { name: t('passkeySignIn') }).waitFor()
    await keyboardStands(page)
    await page.keyboard.type(`${language}${width}`)
    await page.keyboard.press('Tab')
    await page.keyboard.type('harbour-lamp-kettle')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: t('secondFactorTitle') }).waitFor()
    await inspect(page, 'second-factor', look)
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await inspect(page, 'second-factor-wrong', look)
    await page.getByRole('link', { name: t('useRecovery') }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(t('recoveryCode')).waitFor()
    await inspect(page, 'recovery', look)
    await context.close()
  },
)
