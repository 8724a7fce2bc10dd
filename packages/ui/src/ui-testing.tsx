import axe from 'axe-core'
import type { ReactNode } from 'react'
import { IntlProvider } from 'react-intl'
import { render } from 'vitest-browser-react'
import { expect } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import charts from '../locales/charts/en.json' with { type: 'json' }
import words from '../locales/en.json' with { type: 'json' }
import { Theme } from './theme.tsx'

const prefixed = (name: string, texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${name}.${key}`, text]))
const messages = { ...prefixed('ui', words), ...prefixed('charts', charts) }

type Setting = { scheme?: 'light' | 'dark'; locale?: string; zone?: string }

/** Shows a component with the English words, in a colour scheme; dates and numbers are those of the locale. */
export async function showPart(
  element: ReactNode,
  { scheme = 'light', locale = 'en', zone = 'Europe/Rome' }: Setting = {},
) {
  await document.fonts.load("16px 'Inter Variable'")
  const around = (part: ReactNode) => (
    <IntlProvider locale={locale} timeZone={zone} messages={messages}>
      <Theme scheme={scheme}>{part}</Theme>
    </IntlProvider>
  )
  const { rerender } = await render(around(element))
  return { showAgain: (part: ReactNode) => rerender(around(part)) }
}

/** Faults that axe finds against WCAG 2.2 AA, as `rule: element`. */
export async function faults() {
  const still = withoutTransitions()
  const { violations } = await axe
    .run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
    })
    .finally(() => still.remove())
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
  )
}

/** Style sheet under which colours change at once: those of half a transition are in no design. */
function withoutTransitions() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
  const remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
  return { remove }
}

export const phone = () => page.viewport(390, 780)
export const desktop = () => page.viewport(1440, 860)

/** Text beside a control that has the focus by keyboard, such as the reason why it may not be used. */
export async function hintOf(control: Locator) {
  const hint = () => page.getByRole('tooltip').elements()[0]?.textContent
  const focusAnew = async () => {
    if (hint() !== undefined) return hint()
    // The file of the hint may come after the control, which is then drawn anew.
    await userEvent.keyboard('{Shift}')
    const element = control.element() as HTMLElement
    element.blur()
    element.focus()
    await new Promise((done) => setTimeout(done, 100))
    return hint()
  }
  await expect.poll(focusAnew).toBeDefined()
  return hint()
}

/** True when nothing is wider than the window; ask with `expect.poll`, as boxes find their place after a frame. */
export const fitsWindow = () => document.documentElement.scrollWidth <= window.innerWidth

/** Clipboard of the page that keeps what is copied, or refuses. */
export function watchClipboard({ refuses = false } = {}) {
  const copied: string[] = []
  const writeText = async (text: string) => {
    if (refuses) throw new DOMException('not allowed', 'NotAllowedError')
    copied.push(text)
  }
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  return copied
}
