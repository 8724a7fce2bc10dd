import type { ByteReader } from './bytes.ts'
import { BitPlanes } from './number-codec.ts'
import type { Passing } from './passing-sums.ts'
import { summarizeNumbers, type Summary } from './summary.ts'

let room = new Float64Array(1024)

/** Sequential reader of bitwise numbers that aggregates only the requested rows. */
export class PassingBits implements Passing {
  private readonly planes: BitPlanes
  constructor(reader: ByteReader, count: number) {
    this.planes = new BitPlanes(reader, count)
  }

  skip(rows: number, last?: number) {
    this.planes.skip(rows, last)
  }

  take(rows: number, time: { t0: number; t1: number }): Summary {
    if (rows > room.length) room = new Float64Array(rows * 2)
    const values = room.subarray(0, rows)
    this.planes.read(values)
    return summarizeNumbers(values, time)
  }
}
