import { copied, newestWins, type Columns } from './columns.ts'
import type { Value } from './point.ts'

type Versions = { from: number; to: number }
/**
 * Values of all series in order of arrival; `before` is the previous row of the same series, or -1.
 */
type Block = {
  t: Float64Array
  v: Float64Array
  before: Int32Array
  q: Uint8Array | undefined
  /** Values other than numbers, at their rows. */
  others: (Value | undefined)[] | undefined
}

const blockBits = 16
const blockRows = 1 << blockBits
const blockMask = blockRows - 1

const worthKeeping = 10_000
const mostKept = 4

const touched = 1
const unordered = 2
const mixed = 4
const graded = 8

/**
 * Durable values that will become chunks together. They are in a few large arrays, because separate
 * arrays would be allocated for hundreds of thousands of series. Series are named by their index.
 */
export class Generation {
  /** Indexes of the series with values, in order of arrival. */
  series: number[] = []
  /** Memory in units of eight bytes; a long text counts for more. */
  weight = 0
  heads: Versions[] = []
  /** Arrival of the first value, in ms since 1970. */
  since = Infinity
  /** Cache of gathered values of long series, since a long answer reads them page by page. */
  private readonly gathered = new Map<number, { count: number; columns: Columns }>()
  private rows = 0
  private readonly blocks: Block[] = []
  private marks: Uint8Array
  private last: Int32Array
  private counts: Int32Array
  private oldest: Float64Array
  private newest: Float64Array

  constructor(room: number) {
    this.marks = new Uint8Array(room)
    this.last = new Int32Array(room)
    this.counts = new Int32Array(room)
    this.oldest = new Float64Array(room)
    this.newest = new Float64Array(room)
  }

  /** Makes room for more series. */
  grow(room: number) {
    this.marks = copied(this.marks, new Uint8Array(room))
    this.last = copied(this.last, new Int32Array(room))
    this.counts = copied(this.counts, new Int32Array(room))
    this.oldest = copied(this.oldest, new Float64Array(room))
    this.newest = copied(this.newest, new Float64Array(room))
  }

  /** Notes a new value of a series, also one without history. */
  touch(index: number) {
    if (this.marks[index] !== 0) return
    this.marks[index] = touched
    this.last[index] = -1
    this.oldest[index] = Infinity
    this.newest[index] = -Infinity
    this.series.push(index)
  }

  /** Adds a value of a series noted by `touch`; returns its row. */
  add(index: number, t: number, v: Value, q: number): number {
    const row = this.rows
    const at = row & blockMask
    const block = at === 0 ? this.addBlock() : this.blockOf(row)
    block.t[at] = t
    if (typeof v === 'number') block.v[at] = v
    else this.addOther(index, block, at, v)
    if (q !== 0) this.addGrade(index, block, at, q)
    block.before[at] = this.last[index] ?? -1
    this.last[index] = row
    this.counts[index] = (this.counts[index] ?? 0) + 1
    if (t <= (this.newest[index] ?? 0)) this.mark(index, unordered)
    else this.newest[index] = t
    if (t < (this.oldest[index] ?? 0)) this.oldest[index] = t
    this.rows = row + 1
    this.weight += weightOf(v)
    return row
  }

  private addOther(index: number, block: Block, at: number, v: Value) {
    block.others ??= Array.from<Value | undefined>({ length: blockRows })
    block.others[at] = v
    this.mark(index, mixed)
  }

  private addGrade(index: number, block: Block, at: number, q: number) {
    block.q ??= new Uint8Array(blockRows)
    block.q[at] = q
    this.mark(index, graded)
  }

  private mark(index: number, what: number) {
    this.marks[index] = (this.marks[index] ?? 0) | what
  }

  private addBlock(): Block {
    const block = {
      t: new Float64Array(blockRows),
      v: new Float64Array(blockRows),
      before: new Int32Array(blockRows),
      q: undefined,
      others: undefined,
    }
    this.blocks.push(block)
    return block
  }

  private blockOf(row: number): Block {
    const block = this.blocks[row >>> blockBits]
    if (!block) throw new Error(`A generation has no row ${row}`)
    return block
  }

  /** Value of a row. */
  valueAt(row: number): Value {
    const { v, others } = this.blockOf(row)
    const at = row & blockMask
    const other = others?.[at]
    return other === undefined ? (v[at] ?? null) : other
  }

  /** Number of values of a series. */
  count(index: number): number {
    return this.counts[index] ?? 0
  }

  /** Times of the oldest and newest value of a series; undefined when it has none. */
  span(index: number) {
    if (this.count(index) === 0) return undefined
    return { from: this.oldest[index] ?? 0, to: this.newest[index] ?? 0 }
  }

  /** True when a value of a series may lie in `[since, to)`. */
  touches(index: number, since: number, to: number) {
    const span = this.span(index)
    return span !== undefined && span.to >= since && span.from < to
  }

  /** Values of a series so far, in order of time, each time once. */
  columns(index: number): Columns {
    const count = this.count(index)
    if (count < worthKeeping) return this.gather(index)
    const known = this.gathered.get(index)
    if (known?.count === count) return known.columns
    const columns = this.gather(index)
    this.gathered.delete(index)
    this.gathered.set(index, { count, columns })
    const [oldest = index] = this.gathered.keys()
    if (this.gathered.size > mostKept) this.gathered.delete(oldest)
    return columns
  }

  private gather(index: number): Columns {
    const rows = this.rowsOf(index)
    const marks = this.marks[index] ?? 0
    const columns = {
      t: this.numbersIn(rows, 't'),
      v:
        (marks & mixed) === 0
          ? this.numbersIn(rows, 'v')
          : Array.from(rows, (row) => this.valueAt(row)),
      q:
        (marks & graded) === 0
          ? undefined
          : Uint8Array.from(rows, (row) => this.blockOf(row).q?.[row & blockMask] ?? 0),
    }
    return (marks & unordered) === 0 ? columns : newestWins(columns)
  }

  private numbersIn(rows: Int32Array, column: 't' | 'v') {
    const found = new Float64Array(rows.length)
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] ?? 0
      found[at] = this.blockOf(row)[column][row & blockMask] ?? 0
    }
    return found
  }

  /** Rows of a series in order of arrival. */
  private rowsOf(index: number) {
    const rows = new Int32Array(this.count(index))
    let row = this.last[index] ?? -1
    for (let to = rows.length - 1; to >= 0; to -= 1) {
      rows[to] = row
      row = this.blockOf(row).before[row & blockMask] ?? -1
    }
    return rows
  }

  /** Removes the values of some series, which are stored in chunks now. */
  clear(indexes: readonly number[]) {
    for (const index of indexes) {
      this.weight -= this.weightOf(index)
      this.marks[index] = 0
      this.counts[index] = 0
      this.gathered.delete(index)
    }
  }

  private weightOf(index: number) {
    const count = this.count(index)
    if (((this.marks[index] ?? 0) & mixed) === 0) return count
    let weight = 0
    for (const row of this.rowsOf(index)) weight += weightOf(this.valueAt(row))
    return weight
  }

  /** Removes series entirely, including values still to be stored. */
  drop(indexes: readonly number[]) {
    const gone = new Set(indexes)
    this.series = this.series.filter((index) => !gone.has(index))
    this.clear(indexes)
  }

  /** Notes a write-ahead row of this generation; it is deleted when the generation is in chunks. */
  addHead(version: number, now: number) {
    const tail = this.heads.at(-1)
    if (tail && tail.to + 1 === version) tail.to = version
    else this.heads.push({ from: version, to: version })
    this.since = Math.min(this.since, now)
  }
}

/** Memory of a value, in units of one number. */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / 8
  if (typeof value === 'object' && value !== null) return 1 + JSON.stringify(value).length / 4
  return 1
}
