import type pg from 'pg'
import { faultOf } from './database.ts'
import { noteGraded } from './graded-hours.ts'
import { checkBatch, decodeHead, encodeHead, type HeadBatch } from './head-codec.ts'
import { weightOf } from './generation.ts'
import { type HandOver, handOverTouched } from './hand-over.ts'
import type { Keys } from './keys.ts'
import type { Live } from './live.ts'
import { TelemetryError, type Batch } from './point.ts'
import type { SeriesStore } from './series-store.ts'
import {
  adoptHeads,
  claimWriter,
  insertHead,
  readHeads,
  takeVersions,
  versionsInBlock,
  type Claim,
  type HeadKey,
} from './writer-store.ts'

export type WriterLimits = { flushRows: number; flushes: number; memory: number }
type Waiting = HeadBatch & {
  weight: number
  resolve: (version: number) => void
  reject: (error: unknown) => void
}
type WriterOptions = {
  pool: pg.Pool
  live: Live
  keys: Keys
  series: SeriesStore
  now: () => number
  limits: WriterLimits
  /** Called with each id that this process gets; returns what to call when it has ended. */
  onClaimed: (id: number) => () => void
  /** Called when memory has grown; when it is full, only moving values into chunks makes room. */
  onGrown: () => void
  handOver?: HandOver
}

/**
 * Writes batches to disk in groups: batches that arrive during a flush go with the next one. Values
 * enter memory only after their commit and in order of arrival, whichever flush ends first.
 */
export class Writer {
  id = 0
  /** All ids that this process has had: a lost connection may cost it one. */
  readonly ids: number[] = []
  private claim: Claim | undefined
  private readonly claims: (() => void)[] = []
  private queue: Waiting[] = []
  private flushes = 0
  /** Weight of values that are being flushed and are not in memory yet. */
  private underWay = 0
  private version = 0
  private versionsEnd = 0
  private renewals = 0
  private settled: Promise<void> = Promise.resolve()
  private closed = false
  private block: Promise<void> | undefined
  /** Blocks of dead writers that this one has taken over and not yet in memory. */
  private unread: HeadKey[] = []
  /** Memory may lack values whose blocks this writer has. */
  isAdopting = false
  private registering: Promise<void> | undefined
  private readonly options: WriterOptions
  constructor(options: WriterOptions) {
    this.options = options
  }

  /** Registers and takes over the blocks of dead writers. */
  async start() {
    await this.register()
    await this.adopt()
  }

  /** Simultaneous flushes share one new registration. */
  private register(known?: number): Promise<void> {
    this.registering ??= this.claimAs(known).finally(() => (this.registering = undefined))
    return this.registering
  }

  private async claimAs(known?: number): Promise<void> {
    const { pool } = this.options
    const lost = () => (this.claim = undefined)
    const claim =
      (known && (await claimWriter(pool, lost, known))) || (await claimWriter(pool, lost))
    if (!claim) return
    this.claim?.release()
    this.claim = claim
    this.id = claim.id
    if (this.ids.includes(claim.id)) return
    this.ids.push(claim.id)
    this.claims.push(this.options.onClaimed(claim.id))
  }

  /**
   * Takes the lock again after a lost connection; until then other processes could take over the
   * blocks.
   */
  async keepClaim() {
    if (!this.claim && !this.closed) await this.register(this.id)
  }

  /** Replays the blocks of dead writers into memory. What a failure left is replayed by the next call. */
  async adopt() {
    const { pool } = this.options
    const { id } = this
    this.isAdopting = true
    try {
      const versions = await adoptHeads(pool, id)
      if (versions.length > 0) this.renewVersions()
      this.unread.push(...versions.map((version) => ({ writer: id, version })))
      while (this.unread.length > 0) await this.replaySome()
    } finally {
      this.isAdopting = this.unread.length > 0
    }
  }

  private async replaySome() {
    const { pool, live, now } = this.options
    const writer = this.unread[0]?.writer ?? 0
    const some = this.unread.filter((head) => head.writer === writer).slice(0, 64)
    const versions = some.map(({ version }) => version)
    const open = (await this.options.handOver?.open(versions)) ?? new Set()
    const touched = new Map<number, number>()
    for (const { version, data } of await readHeads(pool, writer, versions)) {
      const isOpen = open.has(version)
      decodeHead(data, ({ series, t, v, q, lastOnly }) => {
        if (lastOnly) live.addLast(series, t, v, q)
        else live.add(series, t, v, q)
        if (isOpen && t < (touched.get(series) ?? Infinity)) touched.set(series, t)
      })
      live.addHead(version, now())
    }
    await handOverTouched(this.options, touched, versions)
    this.unread = this.unread.filter((head) => !some.includes(head))
  }

  /** Lets later values have versions above those that any process has taken so far. */
  renewVersions() {
    this.version = this.versionsEnd
    this.renewals += 1
  }

  /** Answers the version of the block that the values are in, 0 for none. */
  append(batch: Batch, lastOnly: boolean): Promise<number> {
    if (this.closed) return Promise.reject(closed())
    try {
      checkBatch(batch)
    } catch (error) {
      return Promise.reject(error)
    }
    if (batch.t.length === 0) return Promise.resolve(0)
    if (batch.q?.some((grade) => grade > 0)) return this.appendGraded(batch, lastOnly)
    return this.appendChecked(batch, lastOnly)
  }

  private async appendGraded(batch: Batch, lastOnly: boolean) {
    if (!lastOnly)
      await noteGraded(this.options.pool, this.options.keys, batch).catch((error: unknown) =>
        Promise.reject(faultOf(error)),
      )
    return this.appendChecked(batch, lastOnly)
  }

  private appendChecked(batch: Batch, lastOnly: boolean): Promise<number> {
    if (this.closed) return Promise.reject(closed())
    const { series } = this.options
    if (series.areKnown(batch.series)) return this.enqueue(batch, lastOnly)
    const unknown = batch.series.filter((id) => !series.isKnown(id))
    return this.appendAfterLookup(batch, lastOnly, unknown)
  }

  private async appendAfterLookup(batch: Batch, lastOnly: boolean, unknown: number[]) {
    const { series } = this.options
    await series
      .load([...new Set(unknown)])
      .catch((error: unknown) => Promise.reject(faultOf(error)))
    const missing = unknown.find((id) => !series.isKnown(id))
    if (missing !== undefined)
      throw new TelemetryError(
        'unknown_series',
        `There is no series ${missing}; it may have been forgotten, ask seriesOf again`,
      )
    return this.enqueue(batch, lastOnly)
  }

  private enqueue(batch: Batch, lastOnly: boolean): Promise<number> {
    let weight = 0
    for (const value of batch.v) weight += weightOf(value)
    return new Promise((resolve, reject) => {
      this.queue.push({ ...batch, lastOnly, weight, resolve, reject })
      this.flush()
    })
  }

  /** Starts flushes that may start; called again whenever a flush ends or memory is freed. */
  flush() {
    const { limits, live, onGrown } = this.options
    while (this.queue.length > 0 && this.flushes < limits.flushes) {
      const load = live.weight + this.underWay
      if (load >= limits.memory) return onGrown()
      if (this.version === this.versionsEnd) return this.takeBlock()
      const taken = this.take()
      const weight = taken.reduce((sum, batch) => sum + batch.weight, 0)
      this.flushes += 1
      this.underWay += weight
      const before = this.settled
      this.settled = this.flushOne(taken, this.version++, before).finally(() => {
        this.flushes -= 1
        this.underWay -= weight
        this.options.onGrown()
        this.flush()
      })
    }
  }

  private take() {
    const { flushRows } = this.options.limits
    let weight = 0
    let count = 0
    for (const batch of this.queue) {
      weight += batch.weight
      if (count > 0 && weight > flushRows) break
      count += 1
    }
    return this.queue.splice(0, count)
  }

  /** Flushes one group. Never rejects: the outcome goes to those who appended. */
  private async flushOne(batches: Waiting[], version: number, before: Promise<void>) {
    let failed: TelemetryError | undefined
    try {
      await this.write(version, encodeHead(batches))
    } catch (error) {
      failed = faultOf(error)
    }
    await before
    // A failed block may still have reached the disk, so it is kept with the others of its time.
    this.options.live.addHead(version, this.options.now())
    if (!failed) for (const batch of batches) this.remember(batch)
    for (const { resolve, reject } of batches)
      if (failed) reject(failed)
      else resolve(version)
  }

  /**
   * Takes a new block of versions. Versions are given in order of arrival, so flushes wait for it.
   */
  private takeBlock() {
    const { renewals } = this
    this.block ??= takeVersions(this.options.pool)
      .then(
        (first) => {
          if (renewals !== this.renewals) return // it may be older than what was to be surpassed
          this.version = first
          this.versionsEnd = first + versionsInBlock
        },
        (error: unknown) => {
          for (const { reject } of this.queue.splice(0)) reject(faultOf(error))
        },
      )
      .finally(() => {
        this.block = undefined
        this.flush()
      })
  }

  private async write(version: number, data: Buffer) {
    const { pool } = this.options
    if (await insertHead(pool, this.id, { version, data })) return
    // Another process took this one for dead while its connection was lost.
    await this.register()
    if (await insertHead(pool, this.id, { version, data })) return
    throw new TelemetryError('unavailable', 'This writer lost its place; send the values again')
  }

  private remember(batch: Waiting) {
    const { live } = this.options
    if (batch.lastOnly) live.addLastBatch(batch)
    else live.addBatch(batch)
  }

  /** Waits for running flushes; queued ones are refused. */
  async drain() {
    this.closed = true
    for (const { reject } of this.queue.splice(0)) reject(closed())
    await this.settled
  }

  release() {
    for (const end of this.claims) end()
    this.claim?.release()
  }
}

const closed = () => new TelemetryError('closed', 'The store is closed; values were not stored')
