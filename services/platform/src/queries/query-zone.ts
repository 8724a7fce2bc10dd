/** Does the server know a time zone of this name? */
export const isTimezone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format()
    return true
  } catch {
    return false // Intl throws for a name it does not know
  }
}

const dayMs = 86_400_000

/** Minutes east of UTC at a time; looked up once for each quarter of an hour, as zones change on those. */
export function offsetsOf(timeZone: string): (t: number) => number {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  let quarter = NaN
  let offset = 0
  return (t: number) => {
    const at = Math.floor(t / 900_000)
    if (at !== quarter) {
      quarter = at
      const name = format.formatToParts(t).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
      offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    }
    return offset
  }
}

/** The calendar of a zone: days are counted from 1970-01-01, and begin when its clocks say so. */
export function calendarOf(timeZone: string) {
  const offsetAt = offsetsOf(timeZone)
  /** The day that a time lies in. */
  const dayAt = (t: number) => Math.floor((t + offsetAt(t) * 60_000) / dayMs)
  /** The first ms of a day: at a change of the clocks that is not always 24 hours after the one before. */
  const startOf = (day: number) => {
    const local = day * dayMs
    const before = local - offsetAt(local - dayMs) * 60_000
    const after = local - offsetAt(local + dayMs) * 60_000
    if (dayAt(before) === day && dayAt(before - 1) < day) return before
    return dayAt(after) === day && dayAt(after - 1) < day ? after : before
  }
  return { dayAt, startOf }
}
