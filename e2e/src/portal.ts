import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { personOf } from './calls.ts'
import type { DemoFile } from './longreach.ts'

/** Waiting times for slow machines. */
export const patient = { timeout: 60_000 }
export const phone = { width: 390, height: 780 }

type Entering = {
  demo: Pick<DemoFile, 'url' | 'people'>
  username: string
  options?: BrowserContextOptions
}

/** A person's portal in a browser of its own, signed in without a word of any language. */
export async function enterPortal(browser: Browser, { demo, username, options }: Entering) {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options })
  return enterPage(await context.newPage(), { demo, username })
}

/** The same in a page that is open. */
export async function enterPage(page: Page, { demo, username }: Omit<Entering, 'options'>) {
  const person = personOf(demo, username)
  await page.goto(`${demo.url}/?realm=${person.organization.split('.')[0] ?? ''}`)
  await page.locator('input[autocomplete~=username]').fill(person.username)
  await page.locator('input[type=password]').fill(person.password)
  await page.keyboard.press('Enter')
  await insidePortal(page)
  return page
}

/** Waits until a page of the portal is open after signing in: the pages of the sign-in have a heading too. */
export const insidePortal = (page: Page) => page.locator('#page h1').waitFor(patient)

/** The smaller of axe's two builds: every page that is loaded anew is given it, and reads it in half the time. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Faults that axe finds against WCAG 2.2 AA on what is shown now, with the place they were found at. */
export async function faultsOf(page: Page, place: string) {
  await settled(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async (where) => {
    // A tooltip that fades in meanwhile is judged as it will be.
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets.push(still)
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      iframes: false,
      resultTypes: ['violations'],
    })
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${where}: ${id}: ${html} ${any[0]?.message ?? ''}`),
    )
  }, place)
}

/** A tab that does not carry the name of its page: ten of them would look the same. */
export async function untitled(page: Page, place: string) {
  const heading = await page.locator('main h1').first().textContent()
  const title = await page.title()
  // The number of unread messages stands before it.
  return title.replace(/^\(\d+\) /, '') === `${heading} · Longreach`
    ? []
    : [`${place}: the tab is called ${title}`]
}

/** Colours are judged when they no longer change. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(finite.map(({ finished }) => finished.catch(() => undefined))) // one may be taken away
  })

/** Width in px by which the page exceeds the window; 0 when it does not scroll sideways. */
export const overflowOf = (page: Page) =>
  page.evaluate(() =>
    Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
  )

/**
 * Width in px by which the page, or its own scroller, exceeds the window; a table may scroll by
 * itself.
 */
export const wideOf = async (page: Page) =>
  (await overflowOf(page)) +
  (await page.locator('main').evaluate((main) => Math.max(0, main.scrollWidth - main.clientWidth)))

/** Opens a page, or another tab of the one that is open, and waits until nothing is on the way any more. */
export async function goTo(page: Page, url: string, path: string) {
  const to = new URL(path, url)
  if (new URL(page.url()).pathname === to.pathname)
    await page.evaluate((place) => history.pushState({}, '', place), path)
  else await page.goto(to.href)
  await page.locator('main h1').waitFor(patient)
  return arrived(page)
}

/** Goes on to another page as a link of the portal does, without loading the portal anew. */
export async function walkTo(page: Page, url: string, path: string) {
  if (new URL(page.url()).pathname === new URL(path, url).pathname) return goTo(page, url, path)
  await page.evaluate((place) => {
    document.querySelector('main h1')?.setAttribute('data-before', '')
    history.pushState({}, '', place)
  }, path)
  await page.locator('main h1:not([data-before])').waitFor(patient)
  return arrived(page)
}

/** Waits until the page is still, with what it asked for. */
async function arrived(page: Page) {
  await still(page)
  const skeleton = page.locator('main [data-skeleton]').first()
  if ((await skeleton.count()) === 0) return
  await skeleton.waitFor({ ...patient, state: 'detached' })
  await still(page)
}

/** Waits until nothing has come or gone in the page for a moment, or as long as live values allow. */
export const still = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect()
          clearTimeout(latest)
          resolve()
        }
        const latest = setTimeout(done, 3000)
        let timer = setTimeout(done, 300)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(done, 300)
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }),
  )
