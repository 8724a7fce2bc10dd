import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage } from './choose-language.ts'

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Cookie of the parent domain in which the portal stores the language. */
const languageCookie = /(?:^|;\s*)cc2locale=([^;]{1,35})/

/**
 * Language of a page, from the query, the authorization request (`parameters`), the cookie and the
 * browser.
 */
export const languageOf = (
  headers: IncomingHttpHeaders,
  query: Record<string, unknown>,
  parameters: Record<string, unknown> = {},
) =>
  chooseLanguage({
    asked: [
      textOrNothing(query['kc_locale']),
      textOrNothing(query['ui_locales']),
      textOrNothing(parameters['kc_locale']),
      textOrNothing(parameters['ui_locales']),
    ],
    cookie: languageCookie.exec(headers.cookie ?? '')?.[1],
    acceptLanguage: headers['accept-language'],
  })
