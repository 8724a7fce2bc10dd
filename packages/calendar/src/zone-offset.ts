/** True for the name of an IANA time zone that this runtime knows. */
export const isTimezone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format()
    return true
  } catch {
    return false // Intl throws for a name that it does not know
  }
}

const known = new Map<string, (t: number) => number>()

/**
 * Offset of a zone: minutes east of UTC at a time (ms since 1970). Looked up once for each quarter of
 * an hour, because zones change at those.
 */
export function offsetsOf(timeZone: string): (t: number) => number {
  const offsets = known.get(timeZone) ?? createOffsets(timeZone)
  known.set(timeZone, offsets)
  return offsets
}

function createOffsets(timeZone: string) {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  let quarter = NaN
  let offset = 0
  return (t: number) => {
    const at = Math.floor(t / 900_000)
    if (at !== quarter) {
      quarter = at
      const name = format.formatToParts(t).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      const [, sign, hours = '0', minutes = '0', seconds = '0'] =
        /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
      const size = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
      offset = sign === '-' ? -size : size
    }
    return offset
  }
}
