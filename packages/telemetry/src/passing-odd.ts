import type { OddRow } from './number-codec.ts'
import type { Passing, PassingSums } from './passing-sums.ts'
import { join, summarizeNumbers, type Summary } from './summary.ts'

type Time = { t0: number; t1: number }

/**
 * Sequential reader of differences with exceptions, such as -0 or NaN, that aggregates only the
 * requested rows.
 */
export class PassingOdd implements Passing {
  private row = 0
  /** Index of the next exception in `odd`. */
  private next = 0
  private readonly odd: OddRow[]
  private readonly sums: PassingSums
  constructor(odd: OddRow[], sums: PassingSums) {
    this.odd = odd
    this.sums = sums
  }

  skip(rows: number, last?: number) {
    this.row += rows
    while ((this.odd[this.next]?.row ?? this.row) < this.row) this.next += 1
    // An exception is not part of the differences.
    const isOdd = this.odd[this.next - 1]?.row === this.row - 1
    this.sums.skip(rows, isOdd ? undefined : last)
  }

  take(rows: number, time: Time): Summary {
    const end = this.row + rows
    const all = this.takePart(end, time)
    while (this.row < end) join(all, this.takePart(end, time))
    return all
  }

  /** Summary of one exception, or of the numbers before the next one. */
  private takePart(end: number, time: Time): Summary {
    const odd = this.odd[this.next]
    const to = Math.min(end, odd?.row ?? end)
    if (this.row < to || !odd) {
      const part = this.sums.take(to - this.row, time)
      this.row = to
      return part
    }
    this.sums.skip(1)
    this.row += 1
    this.next += 1
    return summarizeNumbers(Float64Array.of(odd.value), time)
  }
}
