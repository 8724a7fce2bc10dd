import { between, copied, type Columns } from './columns.ts'
import { Generation } from './generation.ts'
import type { Batch, Point, Value } from './point.ts'
import { SeriesIndex } from './series-index.ts'

const leastRoom = 1024
/** Mark: the newest value is in `values` and not in a row of the open generation. */
const kept = -1

/**
 * Values that are durable in the write-ahead table and not yet in chunks, and the newest value of
 * each series.
 */
export class Live {
  readonly index = new SeriesIndex()
  open: Generation
  closing: Generation | undefined
  private room = leastRoom
  private t = new Float64Array(leastRoom)
  private q = new Uint8Array(leastRoom)
  private rowOf = new Int32Array(leastRoom)
  private readonly values: Value[] = []
  /**
   * 1 where the newest value of the whole series is known, beyond those that passed through memory.
   */
  private complete = new Uint8Array(leastRoom)

  constructor() {
    this.open = new Generation(this.room)
  }

  get weight() {
    return this.open.weight + (this.closing?.weight ?? 0)
  }

  /** Adds durable values in order of arrival; of several at one time the last wins. */
  addBatch({ series, t, v, q }: Batch) {
    for (let row = 0; row < t.length; row += 1)
      this.add(series[row] ?? 0, t[row] ?? 0, v[row] ?? null, q?.[row] ?? 0)
  }

  /** Adds durable values without history. */
  addLastBatch({ series, t, v, q }: Batch) {
    for (let row = 0; row < t.length; row += 1)
      this.addLast(series[row] ?? 0, t[row] ?? 0, v[row] ?? null, q?.[row] ?? 0)
  }

  /** Adds one durable value of a series. */
  add(series: number, t: number, v: Value, q: number) {
    const index = this.indexOf(series)
    this.open.touch(index)
    const row = this.open.add(index, t, v, q)
    if (t < (this.t[index] ?? 0)) return
    this.t[index] = t
    this.q[index] = q
    this.rowOf[index] = row
  }

  /** Adds one durable value without history; it is ignored when it is older than the newest. */
  addLast(series: number, t: number, v: Value, q: number) {
    const index = this.indexOf(series)
    this.open.touch(index)
    if (t >= (this.t[index] ?? 0)) this.keep(index, { t, v, q })
  }

  private keep(index: number, { t, v, q }: Point) {
    this.t[index] = t
    this.q[index] = q
    this.rowOf[index] = kept
    this.values[index] = v
  }

  private indexOf(id: number) {
    const known = this.index.find(id)
    if (known >= 0) return known
    const index = this.index.of(id)
    if (index >= this.room) this.grow()
    this.keep(index, { t: -Infinity, v: null, q: 0 })
    this.complete[index] = 0
    return index
  }

  private grow() {
    this.room *= 2
    this.t = copied(this.t, new Float64Array(this.room))
    this.q = copied(this.q, new Uint8Array(this.room))
    this.rowOf = copied(this.rowOf, new Int32Array(this.room))
    this.complete = copied(this.complete, new Uint8Array(this.room))
    this.open.grow(this.room)
    this.closing?.grow(this.room)
  }

  /** Newest value of a series that passed through memory. */
  newest(id: number): Point | undefined {
    const index = this.index.find(id)
    return index < 0 ? undefined : this.newestAt(index)
  }

  private newestAt(index: number): Point | undefined {
    const t = this.t[index] ?? -Infinity
    if (t === -Infinity) return undefined
    const row = this.rowOf[index] ?? kept
    const v = row === kept ? (this.values[index] ?? null) : this.open.valueAt(row)
    return { t, v, q: this.q[index] ?? 0 }
  }

  /** True when memory has the newest value of the whole series. */
  isComplete(id: number) {
    const index = this.index.find(id)
    return index >= 0 && this.complete[index] === 1
  }

  /** Another process may write: memory has the newest value of no series until it is compared again. */
  doubt() {
    this.complete.fill(0)
  }

  /** Makes memory the source of the newest value of a series that this process writes. */
  settle(id: number, stored: Point | undefined) {
    const index = this.index.find(id)
    if (index < 0) return
    this.complete[index] = 1
    if (stored && stored.t > (this.t[index] ?? 0)) this.keep(index, stored)
  }

  /** Values of a series in memory between two times, older part first. */
  columns(id: number, since: number, to: number): Columns[] {
    const index = this.index.find(id)
    if (index < 0) return []
    return this.generations
      .filter((generation) => generation.touches(index, since, to))
      .map((generation) => between(generation.columns(index), since, to))
  }

  /** Number of values of a series in memory, if some lie between two times. */
  count(id: number, since: number, to: number) {
    const index = this.index.find(id)
    if (index < 0) return 0
    return this.generations
      .filter((generation) => generation.touches(index, since, to))
      .reduce((sum, generation) => sum + generation.count(index), 0)
  }

  private get generations() {
    return this.closing ? [this.closing, this.open] : [this.open]
  }

  /** Series with values in memory: their number, and the times of the oldest and newest. */
  waiting() {
    const indexes = new Set(this.generations.flatMap(({ series }) => series))
    return [...indexes].flatMap((index) => {
      const spans = this.generations.flatMap((generation) => generation.span(index) ?? [])
      if (spans.length === 0) return []
      const values = this.generations.reduce((sum, one) => sum + one.count(index), 0)
      const oldest = Math.min(...spans.map(({ from }) => from))
      const newest = Math.max(...spans.map(({ to }) => to))
      return { id: this.index.ids[index] ?? 0, values, oldest, newest }
    })
  }

  /** Notes a write-ahead row of the open generation. */
  addHead(version: number, now: number) {
    this.open.addHead(version, now)
  }

  /** Closes the open generation; the next value opens another. */
  rotate(): Generation {
    const closed = this.open
    for (const index of closed.series) {
      const row = this.rowOf[index] ?? kept
      if (row === kept) continue
      this.values[index] = closed.valueAt(row)
      this.rowOf[index] = kept
    }
    closed.series.sort((a, b) => this.idAt(a) - this.idAt(b))
    this.closing = closed
    this.open = new Generation(this.room)
    return closed
  }

  /** Series id at an index. */
  idAt(index: number) {
    return this.index.ids[index] ?? 0
  }

  drop(ids: readonly number[]) {
    const indexes = ids.map((id) => this.index.find(id)).filter((index) => index >= 0)
    for (const generation of this.generations) generation.drop(indexes)
    for (const id of ids) this.index.release(id)
  }
}
