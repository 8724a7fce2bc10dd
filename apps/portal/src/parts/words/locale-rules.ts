/** The languages of the portal, in the order of its menu; the first is the default. */
export const languages = ['en', 'de', 'es', 'fr', 'it'] as const
export type Language = (typeof languages)[number]

/** Each language by its own name. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
}

/** Two letters become a locale: `de` is `de-DE`, `en` the default locale `en-US`; a longer code stays (N-04). */
export const expandLocale = (code: string) => {
  if (code === 'en') return 'en-US'
  return code.length === 2 ? `${code}-${code.toUpperCase()}` : code
}

/** The locale with the hours that somebody chose, for all that writes times. */
export const withHours = (locale: string, hours: 'auto' | '12' | '24') =>
  hours === 'auto' ? locale : `${locale}-u-hc-${hours === '12' ? 'h12' : 'h23'}`

/** The language among ours that a locale code names, whatever its region. */
export const languageOf = (code: string | undefined): Language | undefined =>
  languages.find((language) => language === code?.slice(0, 2).toLowerCase())

/** The first of the person's preference, the cookie, and the browser's languages that the portal speaks. */
export const chooseLanguage = (wishes: readonly (string | undefined)[]): Language =>
  wishes.map(languageOf).find((language) => language !== undefined) ?? languages[0]

/** Domain that the cookie is set on, so that sibling hosts share it; none for a bare host or an address. */
export const parentDomain = (hostname: string) => {
  const labels = hostname.split('.')
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.includes(':')
  return isAddress || labels.length < 3 ? undefined : labels.slice(1).join('.')
}
