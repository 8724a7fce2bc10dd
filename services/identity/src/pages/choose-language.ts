import { type Language, languages } from './words.ts'

type Wishes = {
  /**
   * Parameters `ui_locales` (several, separated by blanks) and `kc_locale`, the latter set by the
   * language menu.
   */
  asked: readonly (string | undefined)[]
  cookie: string | undefined
  acceptLanguage: string | undefined
}

/**
 * Language of a page: the first known one of the parameters, the portal’s cookie and the browser; else
 * English.
 */
export function chooseLanguage({ asked, cookie, acceptLanguage }: Wishes): Language {
  const wishes = [
    ...asked.flatMap((one) => one?.split(' ') ?? []),
    cookie,
    ...accepted(acceptLanguage ?? ''),
  ]
  return wishes.map(known).find((language) => language !== undefined) ?? 'en'
}

const known = (code: string | undefined) =>
  languages.find((language) => language === code?.slice(0, 2).toLowerCase())

function accepted(header: string) {
  return header
    .slice(0, 1000)
    .split(',')
    .map((one) => {
      const [code = '', ...parameters] = one.trim().split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)/.exec(text)?.[1]).find(Boolean)
      return { code, quality: quality === undefined ? 1 : Number(quality) }
    })
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ code }) => code)
}
