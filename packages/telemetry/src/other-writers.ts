import type pg from 'pg'
import {
  decodeBlock,
  decodeTail,
  type TailBlock,
  type TailNetwork,
  type TailRange,
  type Tails,
  tailsOf,
} from './tails.ts'
import { headsOf, lookForWriters, readHeads, type HeadKey } from './writer-store.ts'

type Options = {
  pool: pg.Pool
  /** Called when another process has begun to write since the last look. */
  onNews: () => void
  ask: TailNetwork['ask'] | undefined
}

/** Most series of one question. */
const mostAsked = 10_000
/** Time for which blocks are kept after they were last needed: answers may be small and large in turn. */
const keptMs = 60_000
/** Bound of all times, that of a JavaScript date. A question travels as JSON, which has no infinite numbers. */
const endOfTime = 8.64e15

/**
 * Values of other processes that are on disk but not yet in chunks. Each is asked for those of some series;
 * for one that does not answer the write-ahead table is read, and cached.
 */
export class OtherWriters {
  private writers: number[] = []
  /** Writers that ever were, when this one last looked. */
  private ever = 0
  private blocks = new Map<number, TailBlock>()
  private blocksReadAt = 0
  private readonly options: Options
  constructor(options: Options) {
    this.options = options
  }

  /**
   * Number that changes when other processes may have written newer values than this one holds; undefined
   * while they do.
   */
  get trust() {
    return this.writers.length > 0 ? undefined : this.ever
  }

  /**
   * Checks for other writers; one that starts later is found at the next call. Returns true when dead ones
   * left something to take over.
   */
  async look(writer: number) {
    const { others, ever, left } = await lookForWriters(this.options.pool, writer)
    if (ever !== this.ever) this.options.onNews()
    this.writers = others
    this.ever = ever
    return left
  }

  /** Notes a writer that asked this process: it may have begun since the last look. */
  noteAsking(writer: number) {
    if (this.writers.includes(writer)) return
    this.writers = [...this.writers, writer]
    this.options.onNews()
  }

  /** Lets the others know of this writer, before it says of any value that it is stored. */
  announce = (writer: number) => this.tails(writer, { series: [], since: 0, to: 0, newest: true })

  /** Their values of some series. To be asked before chunks are read, because values move in that direction. */
  async tails(writer: number, range: TailRange): Promise<Tails> {
    for (;;) {
      const asked = this.writers
      const answers = await Promise.all(asked.map((other) => this.ask(other, writer, range)))
      const silent = asked.filter((_, at) => answers[at] === undefined)
      const read = await this.read(silent)
      if (read) return tailsOf([...read, ...answers.flatMap((blocks) => blocks ?? [])])
      // One that ended was taken over, maybe by a process that had answered before.
      await this.look(writer)
    }
  }

  private async ask(
    other: number,
    from: number,
    { series, since, to, newest, width }: TailRange,
  ): Promise<TailBlock[] | undefined> {
    const { ask } = this.options
    if (!ask) return undefined
    const question = {
      from,
      since: Math.max(since, -endOfTime),
      to: Math.min(to, endOfTime),
      newest,
      // Buckets begin at the time that is asked for.
      ...(width !== undefined && since >= -endOfTime && { width }),
    }
    const blocks: TailBlock[] = []
    let at = 0
    do {
      const some = series.slice(at, at + mostAsked)
      const answer = await ask(other, { ...question, series: some })
      if (!answer || answer.length === 0) return undefined
      blocks.push(decodeTail(answer, newest))
      at += mostAsked
    } while (at < series.length)
    return blocks
  }

  /** Blocks of writers in the table, in order of their versions; undefined when one of them has ended. */
  private async read(writers: number[]): Promise<TailBlock[] | undefined> {
    const known = this.blocks
    if (writers.length === 0) {
      if (performance.now() - this.blocksReadAt > keptMs) this.blocks = new Map()
      return []
    }
    this.blocksReadAt = performance.now()
    const { pool } = this.options
    let heads = await headsOf(pool, writers)
    // A block that is not found is in chunks now, or has another writer.
    while (heads && !(await this.readMissing(heads, known))) heads = await headsOf(pool, writers)
    if (!heads) return undefined
    const found = heads.flatMap(({ version }) => {
      const block = known.get(version)
      return block ? [[version, block] as const] : []
    })
    this.blocks = new Map(found)
    return found.map(([, block]) => block)
  }

  /** Reads blocks that are not known; false when one was not found. */
  private async readMissing(heads: HeadKey[], known: Map<number, TailBlock>) {
    const missing = heads.filter(({ version }) => !known.has(version))
    let found = 0
    for (const [writer, own] of Map.groupBy(missing, (head) => head.writer))
      for (let from = 0; from < own.length; from += 64) {
        const versions = own.slice(from, from + 64).map(({ version }) => version)
        for (const { version, data } of await readHeads(this.options.pool, writer, versions)) {
          known.set(version, decodeBlock(data))
          found += 1
        }
      }
    return found === missing.length
  }
}
