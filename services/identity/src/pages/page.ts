import { pageStyleVersion } from './page-style.ts'
import { formTargets } from './form-targets.ts'
import { type Language, languageNames, languages, say } from './words.ts'

/** HTML that is inserted into a page as it is; every other value is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
type Part = string | number | Html | undefined | readonly Html[]

const safe = (part: Part): string => {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(safe).join('')
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export const html = (texts: TemplateStringsArray, ...parts: Part[]) =>
  new Html(texts.reduce((all, text, index) => all + safe(parts[index - 1]) + text))

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="8" fill="#1c6fd4" />
  <g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round">
    <path d="M9 8v13.5h6" stroke-width="3.4" />
    <path d="M15 15.5a6 6 0 0 1 6 6M15 9.5a12 12 0 0 1 12 12" stroke-width="2.6" opacity=".85" />
  </g>
</svg>`

const warning = html`<svg
  viewBox="0 0 20 20"
  aria-hidden="true"
  fill="none"
  stroke="currentColor"
  stroke-width="1.6"
  stroke-linecap="round"
>
  <circle cx="10" cy="10" r="7.5" />
  <path d="M10 6v4.5M10 13.6v.1" />
</svg>`

export const alert = (text: string | undefined) =>
  text === undefined
    ? undefined
    : html`<p role="alert" id="problem">${warning}<span>${text}</span></p>`

/** Notice that is not an error. */
export const note = (text: string | undefined) =>
  text === undefined
    ? undefined
    : html`<p role="status" class="note">${warning}<span>${text}</span></p>`

type Page = {
  language: Language
  title: string
  content: Html
  /** File name of a script below `/auth/resources`. */
  script?: string
  /**
   * Address of the page without its language, for the language menu; absent for a page that cannot be
   * loaded again.
   */
  languagesAt?: string
}

/** HTML document of a sign-in page. */
export function page({ language, title, content, script, languagesAt }: Page): string {
  const { text } = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>${title} · Longreach</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/auth/resources/page.css?v=${pageStyleVersion}" />
        ${script === undefined ? undefined : html`<script src="/auth/resources/${script}" defer></script>`}
      </head>
      <body>
        <div class="frame">
          <header class="brand">${mark}<span>Longreach</span></header>
          <main><div class="card">${content}</div></main>
          ${languagesAt === undefined ? undefined : languageMenu(language, languagesAt)}
        </div>
      </body>
    </html>`
  return text
}

function languageMenu(language: Language, address: string) {
  const link = (one: Language) =>
    html`<li>
      <a
        href="${address}?kc_locale=${one}"
        lang="${one}"
        hreflang="${one}"
        ${one === language ? html` aria-current="true"` : undefined}
        >${languageNames[one]}</a
      >
    </li>`
  return html`<nav aria-label="${say(language, 'language')}">
    <ul>
      ${languages.map(link)}
    </ul>
  </nav>`
}

/**
 * Headers of every page. `form-action` names the origins of clients too, since browsers check every
 * redirect that follows a form.
 */
export const pageHeaders = (origin: string, { frames = "'none'", scripts = false } = {}) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ...(scripts ? ["script-src 'self'"] : []),
    `form-action ${formTargets(origin).join(' ')}`,
    `frame-ancestors ${frames}`,
    "base-uri 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'none',
})
