import { frameColors } from '@longreach/ui/frame-colors'
import { inBrowser, inTab } from '../../parts/kept/remembered.ts'

type Heading = { path: string; text: string }

/** Keep the heading of the page that the tab shows, for its next reload. */
export function keepHeading(text: string) {
  inTab.set('heading', JSON.stringify({ path: location.pathname, text } satisfies Heading))
}

function keptHeading() {
  const kept = inTab.get('heading')
  if (kept === undefined) return undefined
  const { path, text } = JSON.parse(kept) as Heading // written by `keepHeading` alone
  return path === location.pathname ? text : undefined
}

const narrowPx = 600

/**
 * Draw menu, bar and heading as the tab showed them last, and its title, until the portal replaces them: a
 * reload shows no white page. Nothing of it can be used, so it is hidden from assistive programs.
 */
export function drawFrame(root: HTMLElement, scheme: 'light' | 'dark') {
  const colors = frameColors[scheme]
  const heading = keptHeading()
  if (heading !== undefined) document.title = `${heading} · Longreach`
  const frame = box(root, {
    position: 'fixed',
    inset: '0',
    display: 'flex',
    background: colors.page,
    color: colors.text,
  })
  frame.setAttribute('aria-hidden', 'true')
  if (innerWidth > narrowPx && inBrowser.get('menu', true))
    box(frame, { flex: 'none', width: '217px', background: colors.navigation })
  const work = box(frame, { flex: '1' })
  box(work, { height: '48px', background: colors.panel, borderBottom: `1px solid ${colors.line}` })
  const title = box(work, {
    padding: innerWidth > narrowPx ? '12px 16px' : '10px 12px',
    font: "600 18px/1.3 'Inter Variable', system-ui, sans-serif",
    letterSpacing: '-0.012em',
  })
  title.textContent = heading ?? ''
}

function box(parent: HTMLElement, style: Partial<CSSStyleDeclaration>) {
  const element = document.createElement('div')
  Object.assign(element.style, style)
  parent.append(element)
  return element
}
