import type pg from 'pg'
import { bundlesOf, chunkOf, place, slotOf, type Bundle, type Placed } from './bundle.ts'
import { rewriteBundles, type Rewritten } from './bundle-merge.ts'
import { bundleCounts, insertBundles, seriesThere } from './bundle-store.ts'
import { decodeChunk } from './chunk-codec.ts'
import { chunkEnds, chunkPlaces, insertChunks, takeChunks, type NewChunk } from './chunk-store.ts'
import { merged, runs } from './columns.ts'
import { cut, smallChunk } from './cut.ts'
import { transaction } from './database.ts'
import { storeLast, type Last } from './last-store.ts'
import type { Generation } from './generation.ts'
import type { Live } from './live.ts'
import { manySmall, mergePlan } from './merge-plan.ts'
import { jsonOf } from './value-codec.ts'

const sliceSeries = 4000
const sliceRows = 250_000
const sliceBusyMs = 4
const mergeSeries = 64
const mergeRows = 400_000
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
  constructor(pool: pg.Pool, live: Live) {
    this.pool = pool
    this.live = live
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
    await transaction(this.pool, async (client) => {
      await insertChunks(client, chunks)
      await insertBundles(client, bundles)
      await storeLast(
        client,
        ids.map((id) => this.lastOf(id)),
      )
    })
    this.noteMerges(chunks)
    this.noteBundles(bundles)
  }

  private lastOf(series: number): Last {
    const { t, q, v } = this.live.newest(series) ?? { t: -Infinity, q: 0, v: null }
    return { series, t, q, v: jsonOf(v) }
  }

  private async dropHeads({ heads }: Generation) {
    for (const { from, to } of heads)
      await this.pool.query(`delete from telemetry.head where version between $1 and $2`, [
        from,
        to,
      ])
    // Rows of this table live shortly; without this it grows faster than autovacuum works.
    await this.pool.query(`vacuum (skip_locked) telemetry.head`)
  }

  /** Reads the ends of the chunks of series that this process has not written yet. */
  private async learnEnds(series: number[]) {
    const unknown = series.filter((id) => !this.ends.has(id))
    if (unknown.length === 0) return
    const found = await chunkEnds(this.pool, unknown)
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
    const written = await transaction(
      this.pool,
      (client) => rewriteBundles(client, slots),
      'isolation level repeatable read',
    )
    this.noteRewritten(slots, written)
    return true
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
    const left = await transaction(
      this.pool,
      (client) => this.merge(client, series),
      'isolation level repeatable read',
    )
    for (const id of series) {
      if (left.has(id)) continue
      this.small.delete(id)
      this.overlapping.delete(id)
    }
    return true
  }

  /** Merges chunks; returns the series that did not fit into this transaction. */
  private async merge(client: pg.PoolClient, series: number[]) {
    const places = Map.groupBy(await chunkPlaces(client, series), (place) => place.series)
    const left = new Set<number>()
    const groups = []
    let rows = 0
    for (const [id, own] of places)
      for (const group of mergePlan(own)) {
        if (rows > mergeRows) left.add(id)
        else groups.push(group)
        rows += group.reduce((sum, { n }) => sum + n, 0)
      }
    const taken = await takeChunks(
      client,
      groups.flat().map(({ place }) => place),
    )
    const byPlace = new Map(taken.map((chunk) => [chunk.place, chunk]))
    const written: NewChunk[] = []
    for (const group of groups) {
      const parts = group.flatMap(({ place }) => byPlace.get(place) ?? [])
      parts.sort((a, b) => a.version - b.version || a.t0 - b.t0)
      const version = Math.max(...parts.map((part) => part.version))
      const columns = merged(parts.map(({ data }) => decodeChunk(data)))
      const id = group[0]?.series ?? 0
      for (const part of runs(columns).flatMap(cut)) written.push(chunkOf(id, version, part))
      await breathe()
    }
    await insertChunks(client, written)
    return left
  }

  forget(ids: number[]) {
    for (const id of ids) {
      this.small.delete(id)
      this.overlapping.delete(id)
      this.ends.delete(id)
    }
  }
}

type Slice = { indexes: number[]; chunks: NewChunk[]; bundles: Bundle[] }

/** Lets requests and flushes run. */
const breathe = () => new Promise<void>((done) => setImmediate(done))
