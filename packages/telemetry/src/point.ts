/** Value of a series: objects and arrays only in series of type `json`. */
export type Value = number | boolean | string | null | Record<string, unknown> | unknown[]
export type SeriesType = 'double' | 'integer' | 'boolean' | 'string' | 'json'

/** Value with its time in ms since 1970 and its `quality`. */
export type Point = { t: number; v: Value; q: number }

/** Series: the values of one model path of a device, with their type. */
export type Series = { id: number; org: string; device: string; path: string; type: SeriesType }

/**
 * Values as columns of equal length: series id, ms since 1970, value, quality (absent: all good).
 */
export type Batch = { series: number[]; t: number[]; v: Value[]; q?: number[] }

/**
 * Aggregates of one series in `[start, start + width)`. `count` includes every value; the others
 * cover numbers (a boolean counts as 0 or 1) and are null without any. `lastT` is the time of the
 * newest value.
 */
export type Bucket = {
  start: number
  count: number
  min: number | null
  max: number | null
  sum: number | null
  avg: number | null
  first: number | null
  last: number | null
  lastT: number
}

/** Range from `since` (included) to `to` (excluded), in ms since 1970. */
export type Range = { since: number; to: number }
export type ReadOptions = Range & { limit?: number; order?: 'asc' | 'desc'; signal?: AbortSignal }
export type BucketOptions = Range & { width: number }
export type Storage = {
  series: number
  chunks: number
  /** Values in chunks; those in the write-ahead table are not included. */
  rows: number
  waiting: number
  bytes: number
}

/** Reason of a refused call; the message says what to do. */
type TelemetryFault =
  | 'unavailable'
  | 'disk_full'
  | 'closed'
  | 'bad_batch'
  | 'unknown_series'
  | 'bad_range'

/**
 * Error of a call that stored nothing, or does not guarantee it: the caller must not acknowledge.
 */
export class TelemetryError extends Error {
  readonly fault: TelemetryFault
  constructor(fault: TelemetryFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'TelemetryError'
    this.fault = fault
  }
}
