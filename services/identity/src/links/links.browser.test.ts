import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testChromium } from '../chromium-testing.ts'
import { mailText } from '../mail/mail-text.ts'
import { goodPassword, identityTest, type IdentityTest } from '../testing.ts'

let server: IdentityTest
let browser: Browser
let axe: string

beforeAll(async () => {
  server = await identityTest()
  // Nothing is sent to it here: the links are handed over.
  server.site.mail = { url: 'smtp://127.0.0.1:9', from: 'noreply@longreach.test' }
  await server.person('nordwerk', 'anna')
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  browser = await testChromium()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

type Faults = { violations: { id: string; nodes: { html: string }[] }[] }
async function faults(page: Page) {
  // Evaluated, not put into the page: its policy lets no script in.
  await page.evaluate(axe)
  const { violations } = await page.evaluate<Faults>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })`,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

let people = 0
async function link(purpose: 'password' | 'invitation') {
  const username = `person${(people += 1)}`
  const { sub } = await server.calls.createAccount({ body: { realm: 'nordwerk', username } })
  const organization = { resourceId: 'nordwerk.service', label: 'Nordwerk Servicegesellschaft' }
  const body = { purpose, organization, handOver: true }
  return (await server.calls.oneTimeLink({ params: { sub }, body })).url ?? ''
}
const forgotten = () => `${server.origin}/auth/realms/nordwerk/login-actions/reset-credentials`

test.each(['light', 'dark'] as const)(
  'pages of links and of a forgotten password have no fault in %s, on a screen and a phone, in German',
  async (colorScheme) => {
    const context = await browser.newContext({ colorScheme, locale: 'de-DE' })
    const page = await context.newPage()
    const look = async (name: string) => {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await faults(page), `${name} ${width}`).toEqual([])
        const scroll = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(scroll - width).toBeLessThanOrEqual(0)
      }
    }
    await page.goto(await link('password'))
    await look('password')
    await page.goto(await link('invitation'))
    await look('invitation')
    await page.fill('#password', 'kurz')
    await page.fill('#repeat', 'kurz')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    // The cursor is where the fault is.
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('password')
    await look('invitation refused')
    await page.goto(forgotten())
    await look('forgotten')
    await page.fill('#username', `niemand-${colorScheme}`)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=status]')
    await look('forgotten sent')
    const url = 'https://portal.example.org/x'
    const values = { origin: 'https://portal.example.org', organization: 'Nordwerk', url }
    const mail = mailText('de', 'invitation', { ...values, username: 'ida@nordwerk' })
    // A page of its own: the policy of ours would take the mail's styles away.
    await page.goto('about:blank')
    await page.setContent(mail.html)
    await look('mail')
    await context.close()
  },
)

test('an invitation is accepted by keyboard alone', async () => {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(await link('invitation'))
  // What is typed before the page has put the keyboard somewhere goes nowhere.
  await page.locator(':focus').waitFor()
  for (const typed of ['Ida', 'Roth', goodPassword, goodPassword]) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.waitForSelector('a.button')
  expect(await page.getAttribute('a.button', 'href')).toContain('org=nordwerk.service')
  await context.close()
})
