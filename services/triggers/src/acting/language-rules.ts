const languages = ['en', 'de', 'es', 'fr', 'it'] as const

/** Language of a locale such as `de-AT`. */
export function languageOf(locale: string | null | undefined) {
  const short = (locale ?? '').slice(0, 2).toLowerCase()
  return languages.find((one) => one === short) ?? 'en'
}
