import type { OddRow } from './number-codec.ts'
import type { Passing, PassingSums } from './passing-sums.ts'
import { join, summarizeNumbers, type Summary } from './summary.ts'

type Time = { t0: number; t1: number }

/** Differences of scaled numbers with a few others among them, as -0 or NaN, which stand beside. */
export class PassingOdd implements Passing {
  private row = 0
  /** Of `odd` the first that was not passed yet. */
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
    // Beside the differences an odd value says nothing of how they go on.
    const isOdd = this.odd[this.next - 1]?.row === this.row - 1
    this.sums.skip(rows, isOdd ? undefined : last)
  }

  take(rows: number, time: Time): Summary {
    const end = this.row + rows
    const all = this.takePart(end, time)
    while (this.row < end) join(all, this.takePart(end, time))
    return all
  }

  /** One odd value, or the numbers before the next one. */
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
