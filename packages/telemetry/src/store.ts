import type pg from 'pg'
import type {
  Batch,
  Bucket,
  BucketOptions,
  Point,
  ReadOptions,
  Series,
  SeriesType,
  Storage,
} from './point.ts'

export { quality, TelemetryError } from './point.ts'
export type {
  Batch,
  Bucket,
  Point,
  Range,
  ReadOptions,
  Series,
  SeriesType,
  Storage,
  TelemetryFault,
  Value,
} from './point.ts'

/** The history of every series, durable in PostgreSQL. One process at a time writes a series. */
export type TelemetryStore = {
  /** The id of a series, made on first use; safe twice at once and across processes. */
  seriesOf(org: string, device: string, path: string, type: SeriesType): Promise<number>
  /** The id if this process has met the series, without waiting. */
  knownSeries(org: string, device: string, path: string, type: SeriesType): number | undefined
  /** A device's series; `pattern` is a path, or a prefix that ends in `**`. */
  findSeries(device: string, pattern?: string): Promise<Series[]>
  /** Resolves when every row is on disk. Rejects with a `TelemetryError`, and then promises nothing. */
  append(batch: Batch): Promise<void>
  /** As `append`, but only the newest value of each series is kept. */
  appendLast(batch: Batch): Promise<void>
  /** The newest value of each series, in the order asked. */
  last(series: number[]): Promise<(Point | undefined)[]>
  /** Every value in the range, each time once, in pages that fit in memory. */
  read(series: number, options: ReadOptions): AsyncIterable<Point[]>
  /** For each series its buckets that hold a value; bucket k starts at `since + k * width`. */
  buckets(series: number[], options: BucketOptions): Promise<Bucket[][]>
  /** Drop the device's series with all their values. */
  forget(device: string): Promise<void>
  storage(): Promise<Storage>
  /** Move everything that waits in memory into chunks now. */
  sealNow(): Promise<void>
  /** Waits for what is under way; values in memory stay in the write-ahead table for the next start. */
  close(): Promise<void>
}

type Log = { warn(details: object, message: string): void }
export type TelemetryOptions = { pool: pg.Pool; log?: Log; now?: () => number; limits?: object }

/** Open the store in the database of `pool`, in a schema `telemetry` of its own. */
export function openTelemetry(_options: TelemetryOptions): Promise<TelemetryStore> {
  return Promise.reject(new Error('not ready'))
}
