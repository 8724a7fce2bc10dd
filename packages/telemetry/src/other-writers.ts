import type pg from 'pg'
import { between, emptyColumns, merged, PointBuffer, type Columns } from './columns.ts'
import { decodeHead } from './head-codec.ts'
import { lookForWriters, otherHeads, readHeads, type HeadKey } from './writer-store.ts'

type Block = { series: Map<number, PointBuffer>; last: Map<number, PointBuffer> }

/**
 * Values of other processes that are on disk but not yet in chunks, read from the write-ahead table
 * and cached.
 */
export class OtherWriters {
  private there = false
  /** Writers that ever were, when this one last looked. */
  private ever = 0
  private blocks = new Map<number, Block>()
  private readonly pool: pg.Pool
  private readonly onNews: () => void
  /** `onNews` is told when another process has begun to write since the last look. */
  constructor(pool: pg.Pool, onNews: () => void) {
    this.pool = pool
    this.onNews = onNews
  }

  /**
   * Number that changes when other processes may have written newer values than this one holds; undefined
   * while they do.
   */
  get trust() {
    return this.there ? undefined : this.ever
  }

  /** Checks for other writers; one that starts later is found at the next call. */
  async look(writer: number) {
    const { others, ever } = await lookForWriters(this.pool, writer)
    if (ever !== this.ever) this.onNews()
    this.there = others
    this.ever = ever
    if (!others) this.blocks.clear()
    return others
  }

  /** Reads new rows. It must run before chunks are read, because values move in that direction. */
  async refresh(writer: number) {
    if (!this.there) return
    const known = this.blocks
    let heads = await otherHeads(this.pool, writer)
    // A block that is not found is in chunks now, or has another writer.
    while (!(await this.readMissing(heads, known))) heads = await otherHeads(this.pool, writer)
    const kept = heads.flatMap(({ version }) => {
      const block = known.get(version)
      return block ? [[version, block] as const] : []
    })
    this.blocks = new Map(kept)
  }

  /** Reads blocks that are not known; false when one was not found. */
  private async readMissing(heads: HeadKey[], known: Map<number, Block>) {
    const missing = heads.filter(({ version }) => !known.has(version))
    let found = 0
    for (const [writer, own] of Map.groupBy(missing, (head) => head.writer))
      for (let from = 0; from < own.length; from += 64) {
        const versions = own.slice(from, from + 64).map(({ version }) => version)
        for (const { version, data } of await readHeads(this.pool, writer, versions)) {
          known.set(version, decodeBlock(data))
          found += 1
        }
      }
    return found === missing.length
  }

  columns(series: number, since: number, to: number): Columns {
    if (this.blocks.size === 0) return emptyColumns
    const parts = [...this.blocks.values()].flatMap((block) => block.series.get(series) ?? [])
    return between(merged(parts.map((part) => part.columns())), since, to)
  }

  /** Newest value of a series among them, as one row. */
  last(series: number): Columns {
    const parts = [...this.blocks.values()].flatMap((block) => block.last.get(series) ?? [])
    const all = merged(parts.map((part) => part.columns()))
    return between(all, all.t.at(-1) ?? 0, Infinity)
  }
}

function decodeBlock(data: Buffer): Block {
  const block: Block = { series: new Map(), last: new Map() }
  decodeHead(data, ({ series, t, v, q, lastOnly }) => {
    push(block.last, series).push(t, v, q)
    if (!lastOnly) push(block.series, series).push(t, v, q)
  })
  return block
}

function push(map: Map<number, PointBuffer>, series: number) {
  const buffer = map.get(series) ?? new PointBuffer()
  map.set(series, buffer)
  return buffer
}
