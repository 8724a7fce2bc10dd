import { hasCapability } from '@longreach/authorization/product-capabilities'
import { pageStyleVersion } from './page-style.ts'
import { formTargets } from '../clients/oauth-clients.ts'
import { type Language, languageNames, languages, say, type Word } from './words.ts'

/** HTML that is safe to put into a page. Anything else is escaped where it is put in. */
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

const curve = html`<svg
  class="curve"
  viewBox="0 0 600 400"
  preserveAspectRatio="none"
  aria-hidden="true"
>
  <g fill="none" vector-effect="non-scaling-stroke">
    <path
      d="M0 310C60 300 80 240 140 246s80 66 140 58 80-118 150-120 90 60 170 34"
      stroke="#2f7fe0"
      stroke-width="2.5"
    />
    <path
      d="M0 346c70-4 110-40 180-34s90 34 160 22 110-70 260-62"
      stroke="#3fb6a8"
      stroke-width="2"
      opacity=".7"
    />
    <path
      d="M0 262c50 8 90-34 150-30s100 44 170 30 130-104 280-84"
      stroke="#8593ad"
      stroke-width="1.5"
      opacity=".45"
    />
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

/** What people should know, and nobody did wrong. */
export const note = (text: string | undefined) =>
  text === undefined
    ? undefined
    : html`<p role="status" class="note">${warning}<span>${text}</span></p>`

export type Page = {
  language: Language
  title: string
  content: Html
  /** A script of our own, below `/auth/resources`. */
  script?: string
  /** The page's own address without its language; absent where a page cannot be asked for again. */
  languagesAt?: string
}

/** One page in the frame of all sign-in pages. */
export function page({ language, title, content, script, languagesAt }: Page): string {
  const t = (word: Word) => say(language, word)
  const brand = html`${mark}<span>Longreach</span>`
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
          <aside class="story" aria-label="Longreach">
            ${curve}
            <div class="brand">${brand}</div>
            <div>
              <h2>${t('tagline')}</h2>
              <ul>
                <li>${t('point1')}</li>
                ${hasCapability('remoteAccess') ? html`<li>${t('point2')}</li>` : undefined}
                <li>${t('point3')}</li>
              </ul>
            </div>
          </aside>
          <div class="side">
            <main>
              <div class="brand narrow-brand">${brand}</div>
              ${content}
            </main>
            ${languagesAt === undefined ? undefined : languageMenu(language, languagesAt)}
          </div>
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
 * Headers of every page. `form-action` names the clients' origins, since browsers check the whole
 * chain of redirects that a form starts.
 */
export const pageHeaders = (origin: string, { frames = "'none'", scripts = false } = {}) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
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
