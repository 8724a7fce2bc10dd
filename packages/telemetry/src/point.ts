/** What a series holds: objects and arrays only in series of type `json`. */
export type Value = number | boolean | string | null | Record<string, unknown> | unknown[]
export type SeriesType = 'double' | 'integer' | 'boolean' | 'string' | 'json'

/** One value: `t` in ms since 1970, `q` its quality: 0 good (costs nothing to store), 1 uncertain, 2 bad. */
export type Point = { t: number; v: Value; q: number }

/** One column of a device: the path of a model and the type of its values. */
export type Series = { id: number; org: string; device: string; path: string; type: SeriesType }

/** Columns of equal length, one row a value: series id, ms since 1970, value, quality (all good when left out). */
export type Batch = { series: number[]; t: number[]; v: Value[]; q?: number[] }

/**
 * The values of one series in `[start, start + width)`. `count` counts every value; the figures are
 * of the numbers among them (a boolean counts as 0 or 1) and null when there is none. `lastT` is the
 * time of the newest value.
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

/** From `since` (included) to `to` (not included), ms since 1970. */
export type Range = { since: number; to: number }
export type ReadOptions = Range & { limit?: number; order?: 'asc' | 'desc'; signal?: AbortSignal }
export type BucketOptions = Range & { width: number }
export type Storage = {
  series: number
  chunks: number
  /** Values in chunks; those still in the write-ahead table come on top. */
  rows: number
  waiting: number
  bytes: number
}

/** Why a call was refused; the message says what to do. */
type TelemetryFault =
  | 'unavailable'
  | 'disk_full'
  | 'closed'
  | 'bad_batch'
  | 'unknown_series'
  | 'bad_range'

/** A call that stored nothing, or at least promises nothing: the caller must not acknowledge. */
export class TelemetryError extends Error {
  readonly fault: TelemetryFault
  constructor(fault: TelemetryFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'TelemetryError'
    this.fault = fault
  }
}
