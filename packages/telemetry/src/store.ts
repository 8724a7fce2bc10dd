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
import type { HandOver } from './hand-over.ts'
import { KeyFilling } from './key-filling.ts'
import { Keys } from './keys.ts'
import { Live } from './live.ts'
import { newest } from './newest.ts'
import { OtherWriters } from './other-writers.ts'
import { Reader } from './reader.ts'
import { Sealer } from './sealer.ts'
import { searchSeries, type SeriesSearch } from './series-search.ts'
import { createSeriesStore, listSeries } from './series-store.ts'
import { Upkeep } from './upkeep.ts'
import { type Usage, readUsage, type UsageQuestion } from './usage-store.ts'
import { noTail, tailOf, type TailNetwork } from './tails.ts'
import { sumUsage, waitingUsage } from './waiting-usage.ts'
import { Writer, type WriterLimits } from './writer.ts'

export { TelemetryError } from './point.ts'
export type { Cut } from './expiry.ts'
export type { HandOver } from './hand-over.ts'
export type { TailNetwork } from './tails.ts'
export type { Usage } from './usage-store.ts'
export type { Batch, Bucket, Point, Series, SeriesType, Value } from './point.ts'

/** History of every series, durable in PostgreSQL. One process at a time writes a series. */
export type TelemetryStore = {
  /** Id of a series, made on first use; safe for simultaneous calls and across processes. */
  seriesOf(org: string, device: string, path: string, type: SeriesType): Promise<number>
  /** Id of a series that this process already knows, without waiting. */
  knownSeries(org: string, device: string, path: string, type: SeriesType): number | undefined
  /** Series of a device; `pattern` is a path, or a prefix that ends in `**`. */
  findSeries(device: string, pattern?: string): Promise<Series[]>
  /** All series of some devices. */
  findSeriesOf(devices: readonly string[]): Promise<Series[]>
  /**
   * Series of an organization, and with `below` of those below it, whose path contains all words.
   */
  searchSeries(search: SeriesSearch): Promise<Series[]>
  /**
   * Stores values; resolves when every row is on disk. After a `TelemetryError` nothing is
   * guaranteed. Answers the version of their block: blocks of a store resolve in order of their versions.
   */
  append(batch: Batch): Promise<number>
  /** Stores only the newest value of each series; answers as `append`. */
  appendLast(batch: Batch): Promise<number>
  /** Newest value of each series, in the given order. */
  last(series: number[]): Promise<(Point | undefined)[]>
  /**
   * Number that changes when another process may have written newer values than this one holds; undefined
   * while one writes beside it.
   */
  trust(): number | undefined
  /**
   * Lets what this process writes from now on count as newer than what any process has written so far: for a
   * series that another one wrote until now.
   */
  renewVersions(): void
  /** Values in the range, each time once, in pages that fit in memory. */
  read(series: number, options: ReadOptions): AsyncIterable<Point[]>
  /** Buckets with values for each series; bucket k starts at `since + k * width`. */
  buckets(series: number[], options: BucketOptions): Promise<Bucket[][]>
  /** Hours (UTC) in which a value of a series was not good, oldest first; nearly exact. */
  gradedHours(series: number, range: Range & { limit: number }): Promise<GradedHour[]>
  /**
   * Moves a device's series with all values to another organization; repeating it has no effect.
   */
  move(device: string, from: string, to: string): Promise<void>
  /** Deletes a device's series with all values. */
  forget(device: string): Promise<void>
  storage(): Promise<Storage>
  /** Stored amounts by organization, device or path, largest first. */
  usage(question: Omit<UsageQuestion, 'now'>): Promise<Usage[]>
  /** Series with ids above `after`; of an organization, with `below` also of those below it. */
  listSeries(after: number, limit: number, of?: { org: string; below: boolean }): Promise<Series[]>
  /** Deletes old values. The newest value of a series always stays. */
  expire(cuts: readonly Cut[]): Promise<Expired>
  /** Amount that `expire` would delete, and of which series; nearly exact. */
  wouldExpire(cuts: readonly Cut[]): Promise<Expired & { series: number[] }>
  /**
   * Makes the space of deleted values reusable; at the end of the table it is returned to the disk.
   */
  reclaim(): Promise<void>
  /** Moves all values in memory into chunks. */
  sealNow(): Promise<void>
  /** Waits for running work; values in memory stay in the write-ahead table for the next start. */
  close(): Promise<void>
}

type Log = { warn(details: object, message: string): void }
type TelemetryLimits = WriterLimits & {
  /** Number of values in memory above which they are moved into chunks. */
  sealAt: number
  /** Time in ms after which they are moved anyway. */
  sealAfterMs: number
}
type TelemetryOptions = {
  pool: pg.Pool
  log?: Log
  now?: () => number
  limits?: Partial<TelemetryLimits>
  /** Way to other processes; without it their values are read from the write-ahead table. */
  network?: TailNetwork
  handOver?: HandOver
}

const usualLimits: TelemetryLimits = {
  flushRows: 20_000,
  flushes: 2,
  memory: 12_000_000,
  sealAt: 1_500_000,
  sealAfterMs: 1_800_000,
}

/** Parts of a store that work together, not yet started. */
function assemble(options: TelemetryOptions, keys: Keys) {
  const { pool, log, network, handOver, now = Date.now } = options
  const limits = { ...usualLimits, ...options.limits }
  const warn = (message: string) => (error: unknown) => log?.warn({ err: error }, message)
  const live = new Live()
  const series = createSeriesStore(pool)
  const others = new OtherWriters({ pool, onNews: () => live.doubt(), ask: network?.ask })
  const sealer = new Sealer({
    pool,
    live,
    keys,
    writers: () => writer.ids,
    ...(handOver && { beforeDrop: () => handOver.done() }),
  })
  const upkeep = new Upkeep({
    live,
    sealer,
    others,
    limits,
    now,
    warn: warn('telemetry upkeep failed and is tried again'),
  })
  const filling = new KeyFilling({
    pool,
    keys,
    merge: (table, ids) => upkeep.alone(() => sealer.mergeSame(table, ids)),
    warn: warn('telemetry could not give a table its key and tries again'),
  })
  const writer = new Writer({
    pool,
    live,
    keys,
    series,
    now,
    limits,
    onClaimed: (id) =>
      network?.answer(id, (question) => {
        others.noteAsking(question.from)
        // What was taken over is read from the table until it is in memory.
        if (writer.isAdopting) return noTail
        const tail = tailOf(live, question)
        if (tail === noTail) upkeep.sealAsked()
        return tail
      }) ?? (() => undefined),
    onGrown: () => upkeep.wake(),
    ...(handOver && { handOver }),
  })
  const reader = new Reader({ pool, live, keys, others, writer: () => writer.id })
  return { pool, now, live, keys, series, others, sealer, upkeep, filling, writer, reader }
}

/**
 * Opens the store in the database of `pool`, in the schema `telemetry`; one connection is held
 * while it is open, and another while tables of an earlier version get their keys. Values that a
 * killed process left in the write-ahead table are replayed.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<TelemetryStore> {
  await migrate(options.pool)
  const keys = new Keys(options.pool)
  await keys.load()
  const parts = assemble(options, keys)
  const { pool, now, live, series, others, sealer, upkeep, filling, writer, reader } = parts
  await writer.start()
  await sealer.start()
  await others.look(writer.id)
  await others.announce(writer.id)
  upkeep.start(writer)
  filling.start()
  return {
    seriesOf: series.seriesOf,
    knownSeries: series.knownSeries,
    findSeries: (device, pattern) => series.findSeries(device, pattern),
    findSeriesOf: (devices) => series.findSeriesOf(devices),
    searchSeries: (search) => searchSeries(pool, search),
    append: (batch) => writer.append(batch, false),
    appendLast: (batch) => writer.append(batch, true),
    last: (ids) => newest({ pool, live, keys, others, writer: writer.id }, ids),
    trust: () => others.trust,
    renewVersions: () => writer.renewVersions(),
    read: (id, range) => reader.read(id, range),
    buckets: (ids, range) => reader.buckets(ids, range),
    gradedHours: (id, range) => gradedHours(pool, keys, { series: id, ...range }),
    forget: (device) =>
      upkeep.alone(async () => {
        const gone = await forgetDevice(pool, keys, device)
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
      return sumUsage([
        ...(await readUsage(pool, keys, asked)),
        ...(await waitingUsage(pool, live, asked)),
      ])
    },
    listSeries: (after, limit, of) => listSeries(pool, { after, limit, ...(of && { of }) }),
    expire: (cuts) =>
      upkeep.alone(() =>
        expire({ pool, keys }, cuts, (cut) => sealer.noteRewritten(cut.slots, cut)),
      ),
    wouldExpire: (cuts) => wouldExpire(pool, keys, cuts),
    async reclaim() {
      await pool.query('vacuum (skip_locked, truncate) telemetry.chunk, telemetry.bundle')
    },
    sealNow: () => upkeep.sealNow(),
    async close() {
      await filling.stop()
      upkeep.stop()
      await writer.drain()
      await upkeep.alone(async () => undefined)
      writer.release()
    },
  }
}
