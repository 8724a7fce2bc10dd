import { offsetsOf } from './zone-offset.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** Date and time of a zone's clock as ISO 8601 without an offset: `2026-11-21T14:05:00.000`. */
export function clockText(zone: string): (t: number) => string {
  const offsetAt = offsetsOf(zone)
  return (t) => new Date(t + offsetAt(t) * 60_000).toISOString().slice(0, -1)
}

/** ISO 8601 by a zone's clock with its offset, `2026-11-21T14:05:00.000+01:00`; UTC ends with Z. */
export function isoText(zone = 'UTC'): (t: number) => string {
  if (zone === 'UTC') return (t) => new Date(t).toISOString()
  const offsetAt = offsetsOf(zone)
  const clock = clockText(zone)
  return (t) => {
    const offset = Math.round(offsetAt(t))
    const minutes = Math.abs(offset)
    return `${clock(t)}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  }
}
