/** The zone of the browser, by its IANA name. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every zone that the browser knows, with UTC first. */
export const knownZones = () => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

/** The zone that an address names, or the browser's when it names none that exists. */
export function zoneFrom(text: string | undefined) {
  if (text === undefined) return browserZone()
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return browserZone() // no zone of that name
  }
}

/** On which day weeks start where the locale is at home: 1 Monday … 7 Sunday. */
export function weekStartOf(locale: string) {
  const info = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } } // not yet in the types
  return info.getWeekInfo?.().firstDay ?? 1
}
