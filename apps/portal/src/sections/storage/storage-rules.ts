type Growth = { bytes: number; bytesPerDay: number }
type Asked = Growth & {
  now: number
  /** Retention of all values in days, when a rule sets it. */
  keepDays?: number | undefined
}

const dayMs = 86_400_000
/** Fewer days of values say little about a year. */
const leastDays = 7

/** Has enough been stored to say where it leads? */
export const isForecastable = (now: number, oldest: number | null) =>
  oldest !== null && now - oldest >= leastDays * dayMs

const farthestDays = 10 * 365

/** Bytes stored after `days` days of the last week's growth; no more growth past the retention of all values. */
export function bytesIn(days: number, { bytes, bytesPerDay, keepDays }: Asked) {
  const grown = bytes + bytesPerDay * days
  if (keepDays === undefined) return grown
  return Math.min(grown, Math.max(bytes, bytesPerDay * keepDays))
}

/** Points of the next year, one a week. */
export function forecast(asked: Asked, days = 365) {
  const times: number[] = []
  const values: number[] = []
  for (let day = 0; day <= days; day += 7) {
    times.push(asked.now + day * dayMs)
    values.push(bytesIn(day, asked))
  }
  return { times, values }
}

/** 1, 2, 5, 10, 20, 40, 60, 80 … MiB, GiB and so on: sizes that one plans with. */
function* roundSizes() {
  for (let unit = 1024 ** 2; unit <= 1024 ** 5; unit *= 1024)
    for (const size of [1, 2, 5, 10, 20, 40, 60, 80, 100, 200, 500]) yield size * unit
}

/** The next round size that is reached, and when; undefined when none is within ten years. */
export function nextSize(asked: Asked): { bytes: number; at: number } | undefined {
  const { bytes, bytesPerDay, now } = asked
  if (bytesPerDay <= 0) return undefined
  for (const size of roundSizes()) {
    const days = (size - bytes) / bytesPerDay
    // Not the one of tomorrow: nobody plans with that.
    if (days < 30) continue
    return days <= farthestDays && bytesIn(days, asked) >= size * 0.999
      ? { bytes: size, at: now + days * dayMs }
      : undefined
  }
  return undefined
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** The unit in which a size is a number from 1 to 1,023, and what one of it is in bytes. */
export function scaleOf(bytes: number) {
  const power = Math.floor(Math.log2(Math.max(1, bytes)) / 10)
  const place = Math.min(units.length - 1, power)
  return { name: units[place] ?? 'B', size: 1024 ** place }
}

/** The last part of an organization's resourceId: its name. */
export const nameOf = (resourceId: string) => resourceId.split('.').at(-1) ?? resourceId
