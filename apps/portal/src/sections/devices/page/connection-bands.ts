import type { TimeWindow } from '@longreach/ui/time-range'

export type Connection = { from: number; to: number | null; ip?: string | null }
/** A stretch of one state; `undefined`: nobody knows, the device had not been seen yet. */
export type Band = TimeWindow & { connected: boolean | undefined }

/** The window as bands of being there and away, from left to right. */
export function bandsOf(
  connections: readonly Connection[],
  { from, to }: TimeWindow,
  knownFrom: number,
): Band[] {
  const bands: Band[] = []
  let at = from
  const fill = (until: number, connected: boolean | undefined) => {
    if (until > at) bands.push({ from: at, to: until, connected })
    at = Math.max(at, until)
  }
  const away = (until: number) => {
    fill(Math.min(until, knownFrom), undefined)
    fill(until, false)
  }
  for (const one of connections.toSorted((a, b) => a.from - b.from)) {
    if (one.from >= to || (one.to ?? to) <= from) continue
    away(Math.max(from, one.from))
    fill(Math.min(to, one.to ?? to), true)
  }
  away(to)
  return bands
}

const dayMs = 86_400_000
/** Of less than this share of a span nothing is said for the whole. */
const knownEnough = 0.8

type Uptime = { days: number; onlineMs: number; knownMs: number }

/** Share of the known time that the device was there, in percent; undefined while too little of the span is known. */
export const uptimePercent = ({ days, onlineMs, knownMs }: Uptime) =>
  knownMs >= days * dayMs * knownEnough ? Math.min(100, (onlineMs / knownMs) * 100) : undefined
