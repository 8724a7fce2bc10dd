/** Names of days of the week, of which Sunday is 0: `Mon, Tue`. */
export function daysText(days: string, locale: string) {
  const { format } = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // The 4th of January 1970 was a Sunday.
  return days
    .split(',')
    .filter((day) => day !== '')
    .map((day) => format(new Date((3 + Number(day)) * 86_400_000)))
    .join(', ')
}
