import { wallTime } from '@longreach/ui/time-range'

/** ISO 8601 in the clock of `zone` with its offset: `2026-11-21T14:05:00.000+01:00`. */
export function isoInZone(at: number, zone: string) {
  const { year, month, day, hour, minute, second, ms } = wallTime(at, zone)
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const time = `${two(hour)}:${two(minute)}:${two(second)}.${String(ms).padStart(3, '0')}`
  const offset = Math.round(
    (Date.UTC(year, month - 1, day, hour, minute, second, ms) - at) / 60_000,
  )
  const size = Math.abs(offset)
  const sign = offset < 0 ? '-' : '+'
  return `${date}T${time}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
