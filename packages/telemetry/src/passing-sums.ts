import type { ByteReader } from './bytes.ts'
import { powers } from './number-codec.ts'
import type { Summary } from './summary.ts'

/** Sequential reader of a chunk's numbers that aggregates only the requested rows. */
export type Passing = {
  /** Skips rows; `last` is the value of the last of them, if known. */
  skip(rows: number, last?: number): void
  /** Summary of the next rows, at least one, which lie between two times. */
  take(rows: number, time: { t0: number; t1: number }): Summary
}

/** Integers of at most this size, and at most this many, keep all results within 31 bits. */
const narrow = 2 ** 29
const narrowRows = 65_536

/** Sequential reader of differences of scaled numbers that aggregates only the requested rows. */
export class PassingSums implements Passing {
  private readonly reader: ByteReader
  private readonly scale: number
  /** Rows not read yet. */
  private left: number
  private whole = 0
  private min = 0
  private max = 0
  private sum = 0
  /** Reader of `count` numbers, which must be the last data of `reader`. */
  constructor(reader: ByteReader, count: number) {
    this.scale = powers[reader.byte()] ?? 1
    this.reader = reader
    this.left = count
  }

  skip(rows: number, last?: number) {
    this.left -= rows
    if (last === undefined) this.addUp(rows)
    else {
      if (this.left < rows) this.goBack()
      else this.passOver(rows)
      this.whole = Math.round(last * this.scale)
    }
  }

  /** Skips rows. Each number ends with a byte below 128. */
  private passOver(rows: number) {
    const { bytes } = this.reader
    let { at } = this.reader
    for (let left = rows; left > 0; at += 1) if ((bytes[at] ?? 0) < 128) left -= 1
    this.reader.at = at
  }

  /**
   * Moves back to the position with the required number of rows left, counted from the end because
   * it is nearer.
   */
  private goBack() {
    const { bytes } = this.reader
    let at = bytes.length
    for (let { left } = this; left > 0; left -= 1) {
      at -= 1
      while ((bytes[at - 1] ?? 0) >= 128) at -= 1
    }
    this.reader.at = at
  }

  private addUp(rows: number) {
    const { reader } = this
    const { bytes } = reader
    let { at } = reader
    let { whole } = this
    for (let row = 0; row < rows; row += 1) {
      const byte = bytes[at] ?? 0
      if (byte < 128) {
        at += 1
        whole += (byte >>> 1) ^ -(byte & 1)
        continue
      }
      reader.at = at
      whole += reader.signed()
      at = reader.at
    }
    reader.at = at
    this.whole = whole
  }

  take(rows: number, { t0, t1 }: { t0: number; t1: number }): Summary {
    this.left -= rows
    this.whole += this.reader.signed()
    const first = this.whole
    this.min = first
    this.max = first
    this.sum = first
    for (let left = rows - 1; left > 0;) {
      left -= this.addShort(Math.min(left, narrowRows))
      if (left === 0) break
      this.addAny()
      left -= 1
    }
    const { min, max, sum, whole, scale } = this
    return {
      t0,
      t1,
      n: rows,
      numbers: rows,
      min: min / scale,
      max: max / scale,
      sum: sum / scale,
      first: first / scale,
      last: whole / scale,
    }
  }

  /** Adds differences of one or two bytes up to the first longer one; returns their number. */
  private addShort(rows: number) {
    if (Math.abs(this.whole) > narrow) return 0
    const { bytes } = this.reader
    let { at } = this.reader
    let { sum } = this
    let whole = this.whole | 0
    let min = narrow * 2
    let max = -min
    let row = 0
    for (; row < rows; row += 1) {
      const byte = bytes[at] ?? 0
      if (byte < 128) {
        at += 1
        whole = (whole + ((byte >>> 1) ^ -(byte & 1))) | 0
      } else {
        const more = bytes[at + 1] ?? 0
        if (more >= 128) break
        const zigzag = (byte & 127) | (more << 7)
        at += 2
        whole = (whole + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0
      }
      min = Math.min(min, whole)
      max = Math.max(max, whole)
      sum += whole
    }
    this.reader.at = at
    this.whole = whole
    this.sum = sum
    this.min = Math.min(this.min, min)
    this.max = Math.max(this.max, max)
    return row
  }

  private addAny() {
    this.whole += this.reader.signed()
    this.sum += this.whole
    this.min = Math.min(this.min, this.whole)
    this.max = Math.max(this.max, this.whole)
  }
}
