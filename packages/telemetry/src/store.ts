import type pg from 'pg'
import type {
  Batch,
  Bucket,
  BucketOptions,
  Point,
  Range,
  ReadOptions,
  Series,
  SeriesType,
  Storage,
} from './point.ts'
import { migrate } from './database.ts'
import { forgetDevice, moveDevice, storageOf } from './device-store.ts'
import { type Cut, expire, type Expired, wouldExpire } from './expiry.ts'
import { type GradedHour, gradedHours } from './graded-hours.ts'
import { Live } from './live.ts'
import { newest } from './newest.ts'
import { OtherWriters } from './other-writers.ts'
import { Reader } from './reader.ts'
import { Sealer } from './sealer.ts'
import { searchSeries, type SeriesSearch } from './series-search.ts'
import { createSeriesStore, listSeries } from './series-store.ts'
import { Upkeep } from './upkeep.ts'
import { type Usage, usageOf, type UsageQuestion } from './usage-store.ts'
import { joined, waitingUsage } from './waiting-usage.ts'
import { Writer, type WriterLimits } from './writer.ts'

export { TelemetryError } from './point.ts'
export type { Cut } from './expiry.ts'
export type { Usage } from './usage-store.ts'
export type { Batch, Bucket, Point, Series, SeriesType, Value } from './point.ts'

/** The history of every series, durable in PostgreSQL. One process at a time writes a series. */
export type TelemetryStore = {
  /** The id of a series, made on first use; safe twice at once and across processes. */
  seriesOf(org: string, device: string, path: string, type: SeriesType): Promise<number>
  /** The id if this process has met the series, without waiting. */
  knownSeries(org: string, device: string, path: string, type: SeriesType): number | undefined
  /** A device's series; `pattern` is a path, or a prefix that ends in `**`. */
  findSeries(device: string, pattern?: string): Promise<Series[]>
  /** Series of an organization, and with `below` of those below it, whose path holds all the words. */
  searchSeries(search: SeriesSearch): Promise<Series[]>
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
  /** Hours of UTC in which a value of a series was not good, oldest first; nearly exact. */
  gradedHours(series: number, range: Range & { limit: number }): Promise<GradedHour[]>
  /** Give the device's series with all their values to another organization; asked twice it is done once. */
  move(device: string, from: string, to: string): Promise<void>
  /** Drop the device's series with all their values. */
  forget(device: string): Promise<void>
  storage(): Promise<Storage>
  /** What is stored, by organization, device or path, the heaviest first. */
  usage(question: Omit<UsageQuestion, 'now'>): Promise<Usage[]>
  /** Series by id, those behind `after`; of an organization, with `below` also of those under it. */
  listSeries(after: number, limit: number, of?: { org: string; below: boolean }): Promise<Series[]>
  /** Take away old values for good. The newest value of a series always stays. */
  expire(cuts: readonly Cut[]): Promise<Expired>
  /** What `expire` would take away, and of which series; nearly exact. */
  wouldExpire(cuts: readonly Cut[]): Promise<Expired & { series: number[] }>
  /** Let what was taken away be used again, and where it was at the end of the table return it to the disk. */
  reclaim(): Promise<void>
  /** Move everything that waits in memory into chunks now. */
  sealNow(): Promise<void>
  /** Waits for what is under way; values in memory stay in the write-ahead table for the next start. */
  close(): Promise<void>
}

type Log = { warn(details: object, message: string): void }
type TelemetryLimits = WriterLimits & {
  /** Values in memory above which they are moved into chunks. */
  sealAt: number
  /** After this time, in ms, they are moved anyway. */
  sealAfterMs: number
}
type TelemetryOptions = {
  pool: pg.Pool
  log?: Log
  now?: () => number
  limits?: Partial<TelemetryLimits>
}

const usualLimits: TelemetryLimits = {
  flushRows: 20_000,
  flushes: 2,
  memory: 12_000_000,
  sealAt: 1_500_000,
  sealAfterMs: 1_800_000,
}

/**
 * Open the store in the database of `pool`, in a schema `telemetry` of its own; one connection of the
 * pool is held for as long as it is open. What a killed process left in the write-ahead table is replayed.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<TelemetryStore> {
  const { pool, log, now = Date.now } = options
  const limits = { ...usualLimits, ...options.limits }
  await migrate(pool)
  const live = new Live()
  const series = createSeriesStore(pool)
  const others = new OtherWriters(pool)
  const sealer = new Sealer(pool, live)
  const upkeep = new Upkeep({
    live,
    sealer,
    others,
    limits,
    now,
    warn: (error) => log?.warn({ err: error }, 'telemetry upkeep failed and is tried again'),
  })
  const writer = new Writer({ pool, live, series, now, limits, onGrown: () => upkeep.wake() })
  const reader = new Reader({ pool, live, others, writer: () => writer.id })
  await writer.start()
  await sealer.start()
  await others.look(writer.id)
  upkeep.start(writer)
  return {
    seriesOf: series.seriesOf,
    knownSeries: series.knownSeries,
    findSeries: (device, pattern) => series.findSeries(device, pattern),
    searchSeries: (search) => searchSeries(pool, search),
    append: (batch) => writer.append(batch, false),
    appendLast: (batch) => writer.append(batch, true),
    last: (ids) => newest({ pool, live, others, writer: writer.id }, ids),
    read: (id, range) => reader.read(id, range),
    buckets: (ids, range) => reader.buckets(ids, range),
    gradedHours: (id, range) => gradedHours(pool, id, range),
    forget: (device) =>
      upkeep.alone(async () => {
        const gone = await forgetDevice(pool, device)
        live.drop(gone.ids)
        sealer.forget(gone.ids)
        sealer.noteRewritten(gone.slots, gone)
        series.forgetIds(gone.ids)
      }),
    move: async (device, from, to) => {
      await moveDevice(pool, device, from, to)
      await series.moved(device, from)
    },
    storage: () => storageOf(pool, live),
    async usage(question) {
      const asked = { ...question, now: now() }
      return joined([...(await usageOf(pool, asked)), ...(await waitingUsage(pool, live, asked))])
    },
    listSeries: (after, limit, of) => listSeries(pool, { after, limit, ...(of && { of }) }),
    expire: (cuts) =>
      upkeep.alone(() => expire(pool, cuts, (cut) => sealer.noteRewritten(cut.slots, cut))),
    wouldExpire: (cuts) => wouldExpire(pool, cuts),
    async reclaim() {
      await pool.query('vacuum (skip_locked, truncate) telemetry.chunk, telemetry.bundle')
    },
    sealNow: () => upkeep.sealNow(),
    async close() {
      upkeep.stop()
      await writer.drain()
      await upkeep.alone(async () => undefined)
      writer.release()
    },
  }
}
