import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage } from './choose-language.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The cookie in which the portal keeps the language, on the parent domain. */
const languageCookie = /(?:^|;\s*)cc2locale=([^;]{1,35})/

/** The language of a page from what the request, the sign-in behind it and the browser say. */
export const languageOf = (
  headers: IncomingHttpHeaders,
  query: Record<string, unknown>,
  parameters: Record<string, unknown> = {},
) =>
  chooseLanguage({
    asked: [
      text(query['kc_locale']),
      text(query['ui_locales']),
      text(parameters['kc_locale']),
      text(parameters['ui_locales']),
    ],
    cookie: languageCookie.exec(headers.cookie ?? '')?.[1],
    acceptLanguage: headers['accept-language'],
  })
