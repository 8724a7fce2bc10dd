import type pg from 'pg'
import { bundlesOf, place, type Bundle, type Placed } from './bundle.ts'
import { rewriteBundles, type Rewritten } from './bundle-merge.ts'
import { bundleCounts, insertBundles, seriesThere } from './bundle-store.ts'
import { insertChunks } from './chunk-insert.ts'
import { mergeChunks } from './chunk-merge.ts'
import { chunkEnds, type NewChunk } from './chunk-store.ts'
import { smallChunk } from './cut.ts'
import { snapshotTransaction, transaction } from './database.ts'
import { storeLast, type Last } from './last-store.ts'
import type { Generation } from './generation.ts'
import type { Keys } from './keys.ts'
import type { Live } from './live.ts'
import { manySmall } from './merge-plan.ts'
import { slotOf } from './slot.ts'
import { jsonOf } from './value-codec.ts'

const sliceSeries = 4000
const sliceRows = 250_000
const sliceBusyMs = 4
const mergeSeries = 64
/**
 * Number of bundles of a slot that are merged; each slot holds at most a hundred thousand values.
 */
const manyBundles = 8
const mergeSlots = 2

/**
 * Moves closed generations into chunks and merges small or overlapping chunks, in short slices that
 * keep the process responsive. A value stays in memory until its chunk is committed.
 */
export class Sealer {
  /** Small chunks of each series since its last merge. */
  private readonly small = new Map<number, number>()
  private readonly overlapping = new Set<number>()
  /** End of each series' chunks; short chunks after it go into bundles. */
  private readonly ends = new Map<number, number>()
  private readonly bundles = new Map<number, number>()
  private readonly pool: pg.Pool
  private readonly live: Live
  private readonly keys: Keys
  /** Ids under which this process has written. */
  private readonly writers: () => number[]
  private readonly beforeDrop: () => Promise<void>
  constructor({ pool, live, keys, writers, beforeDrop }: SealerOptions) {
    this.pool = pool
    this.live = live
    this.keys = keys
    this.writers = writers
    this.beforeDrop = beforeDrop ?? (async () => undefined)
  }

  /** Counts the chunks that earlier processes left to merge. */
  async start() {
    const { rows } = await this.pool.query<{ series: number; count: number }>(
      `select series, count(*)::int as count from telemetry.chunk where n < $1
       group by series having count(*) >= $2`,
      [smallChunk, manySmall],
    )
    for (const { series, count } of rows) this.small.set(series, count)
    for (const { slot, count } of await bundleCounts(this.pool)) this.bundles.set(slot, count)
  }

  /** Moves all durable values into chunks and frees their memory and write-ahead rows. */
  async seal() {
    const generation = this.live.closing ?? this.live.rotate()
    const version = Math.max(0, ...generation.heads.map(({ to }) => to))
    // The next slice is made while the database writes this one.
    let next = this.prepare(generation, 0, version)
    for (;;) {
      const slice = await next
      const count = slice.indexes.length
      if (count === 0) break
      next = this.prepare(generation, count, version)
      next.catch(() => undefined) // the consumer that awaits it gets the error
      await this.write(slice)
      generation.series.splice(0, count)
      generation.clear(slice.indexes)
    }
    // A block is where values are found that nobody has dealt with.
    await this.beforeDrop()
    await this.dropHeads(generation)
    this.live.closing = undefined
  }

  /** Slice of a generation after the first `skipped` series, encoded for storage. */
  private async prepare(generation: Generation, skipped: number, version: number) {
    const indexes = this.takeSlice(generation, skipped)
    const filled = indexes.filter((index) => generation.count(index) > 0)
    await this.learnEnds(filled.map((index) => this.live.idAt(index)))
    const { chunks, parts } = await this.encode(generation, filled, version)
    const there = await seriesThere(this.pool, [...new Set(parts.map((part) => part.series))])
    const left = parts.filter((part) => there.has(part.series))
    return { indexes, chunks, bundles: bundlesOf(left, () => version) }
  }

  /**
   * Indexes of as many series as one transaction should write. Slots are not split, so that each
   * becomes one bundle.
   */
  private takeSlice(generation: Generation, skipped: number) {
    const slice: number[] = []
    let rows = 0
    let slot = -1
    for (let at = skipped; at < generation.series.length; at += 1) {
      const index = generation.series[at] ?? 0
      const next = slotOf(this.live.idAt(index))
      if ((slice.length >= sliceSeries || rows > sliceRows) && next !== slot) break
      slot = next
      rows += generation.count(index)
      slice.push(index)
    }
    return slice
  }

  private async encode(generation: Generation, indexes: number[], version: number) {
    const all: Placed = { chunks: [], parts: [] }
    let since = performance.now()
    for (const index of indexes) {
      const series = this.live.idAt(index)
      const where = { series, version, end: this.ends.get(series) ?? -Infinity }
      const { chunks, parts } = place(where, generation.columns(index))
      all.chunks.push(...chunks)
      all.parts.push(...parts)
      if (performance.now() - since < sliceBusyMs) continue
      await breathe()
      since = performance.now()
    }
    return all
  }

  private async write({ indexes, chunks, bundles }: Slice) {
    const ids = indexes.map((index) => this.live.idAt(index))
    const lasts = ids.map((id) => this.lastOf(id))
    const store = async (client: pg.PoolClient) => {
      await insertChunks(client, this.keys, chunks)
      await insertBundles(client, bundles)
      await storeLast(client, this.keys, lasts)
    }
    await this.keys.follow(() => transaction(this.pool, store))
    this.noteMerges(chunks)
    this.noteBundles(bundles)
  }

  private lastOf(series: number): Last {
    const { t, q, v } = this.live.newest(series) ?? { t: -Infinity, q: 0, v: null }
    return { series, t, q, v: jsonOf(v) }
  }

  private async dropHeads({ heads }: Generation) {
    for (const { from, to } of heads)
      await this.pool.query(
        `delete from telemetry.head where writer = any($3::int[]) and version between $1 and $2`,
        [from, to, this.writers()],
      )
    // Rows of this table live shortly; without this it grows faster than autovacuum works.
    await this.pool.query(`vacuum (skip_locked) telemetry.head`)
  }

  /** Reads the ends of the chunks of series that this process has not written yet. */
  private async learnEnds(series: number[]) {
    const unknown = series.filter((id) => !this.ends.has(id))
    if (unknown.length === 0) return
    const found = await chunkEnds(this.pool, this.keys, unknown)
    for (const id of unknown) this.ends.set(id, -Infinity)
    for (const { series, end } of found) this.ends.set(series, end)
  }

  /** Notes series with a new chunk that is small or overlaps another. */
  private noteMerges(chunks: NewChunk[]) {
    for (const { series, n, t0, t1 } of chunks) {
      if (n < smallChunk) this.small.set(series, (this.small.get(series) ?? 0) + 1)
      const end = this.ends.get(series) ?? -Infinity
      if (t0 <= end) this.overlapping.add(series)
      this.ends.set(series, Math.max(end, t1))
    }
  }

  private noteBundles(bundles: Bundle[]) {
    for (const { slot } of bundles) this.bundles.set(slot, (this.bundles.get(slot) ?? 0) + 1)
  }

  /** Updates the counts after a committed transaction that rewrote bundles. */
  noteRewritten(slots: number[], { chunks, bundles }: Pick<Rewritten, 'chunks' | 'bundles'>) {
    for (const slot of slots) this.bundles.delete(slot)
    this.noteBundles(bundles)
    this.noteMerges(chunks)
  }

  private async mergeBundles() {
    const many = [...this.bundles].filter(([, count]) => count >= manyBundles)
    const slots = many.slice(0, mergeSlots).map(([slot]) => slot)
    if (slots.length === 0) return false
    await this.rewriteBundles(slots)
    return true
  }

  /** Makes one bundle of those of each slot. */
  private async rewriteBundles(slots: number[]) {
    const written = await snapshotTransaction(this.pool, (client) =>
      rewriteBundles(client, this.keys, slots),
    )
    this.noteRewritten(slots, written)
  }

  private candidates() {
    const series = [...this.overlapping].slice(0, mergeSeries)
    for (const [id, count] of this.small) {
      if (series.length >= mergeSeries) break
      if (count >= manySmall) series.push(id)
    }
    return [...new Set(series)]
  }

  /**
   * Merges some bundles, or chunks of some series; returns false when there is nothing to merge.
   */
  async mergeSome(): Promise<boolean> {
    const series = this.candidates()
    if (series.length === 0) return this.mergeBundles()
    await this.mergeChunks(series)
    return true
  }

  /** Merges overlapping and small chunks of some series; returns the series with more to merge. */
  private async mergeChunks(series: number[]) {
    const left = await snapshotTransaction(this.pool, (client) =>
      mergeChunks(client, this.keys, series),
    )
    for (const id of series) {
      if (left.has(id)) continue
      this.small.delete(id)
      this.overlapping.delete(id)
    }
    return left
  }

  /** Merges chunks of some series, or bundles of some slots, until no two have the same key. */
  async mergeSame(table: 'chunk' | 'bundle', ids: number[]) {
    if (table === 'bundle') await this.rewriteBundles(ids)
    else for (let left = ids; left.length > 0;) left = [...(await this.mergeChunks(left))]
  }

  forget(ids: number[]) {
    for (const id of ids) {
      this.small.delete(id)
      this.overlapping.delete(id)
      this.ends.delete(id)
    }
  }
}

type SealerOptions = {
  pool: pg.Pool
  live: Live
  keys: Keys
  writers: () => number[]
  /** Called before blocks are deleted whose values are in chunks. */
  beforeDrop?: () => Promise<void>
}
type Slice = { indexes: number[]; chunks: NewChunk[]; bundles: Bundle[] }

/** Lets requests and flushes run. */
const breathe = () => new Promise<void>((done) => setImmediate(done))
