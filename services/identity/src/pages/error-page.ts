import type { Context } from 'oidc-provider'
import { html, page, pageHeaders } from './page.ts'
import { languageOf } from './page-language.ts'
import { type Language, say } from './words.ts'

/** Page for an error after which the person cannot be redirected to the client. */
export const problemPage = (language: Language, origin: string, detail: string | undefined) =>
  page({
    language,
    title: say(language, 'errorTitle'),
    content: html`<h1>${say(language, 'errorTitle')}</h1>
      <p class="lead">${say(language, 'errorText')}</p>
      <a class="button" href="${origin}/">${say(language, 'toPortal')}</a>
      ${detail === undefined ? undefined : html`<p class="detail">${say(language, 'errorDetail')}<code>${detail}</code></p>`}`,
  })

/** Page for errors of oidc-provider that have no address to redirect to. */
export function errorPage(
  ctx: Context,
  { error, error_description: description }: { error: string; error_description?: string },
  origin: string,
) {
  const query = Object.fromEntries(new URLSearchParams(ctx.req.url?.split('?')[1]))
  const language = languageOf(ctx.req.headers, query)
  for (const [name, value] of Object.entries(pageHeaders(origin))) ctx.set(name, value)
  ctx.body = problemPage(language, origin, [error, description].filter(Boolean).join(': '))
}
