import { inBrowser } from '../kept/remembered.ts'

/** The zone of the browser, by its IANA name. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone that the person chose to see times in; the browser's when they chose none. */
export const usualZone = () => inBrowser.get<string | null>('zone', null) ?? browserZone()

/** Every zone that the browser knows, with UTC first. */
export const knownZones = () => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

/** The zone that an address names, or the usual one when it names none that exists. */
export function zoneFrom(text: string | undefined) {
  if (text === undefined) return usualZone()
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return usualZone() // no zone of that name
  }
}

/** First day of the week in a locale's region: 1 Monday … 7 Sunday. */
export function weekStartOf(locale: string) {
  const info = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } } // not yet in the types
  return info.getWeekInfo?.().firstDay ?? 1
}
