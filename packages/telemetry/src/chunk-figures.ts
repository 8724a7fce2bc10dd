import { ByteReader } from './bytes.ts'
import { decodePassing, passingTimes } from './chunk-codec.ts'
import { between } from './columns.ts'
import { bits, differences, patched, readOdd } from './number-codec.ts'
import { PassingBits } from './passing-bits.ts'
import { PassingOdd } from './passing-odd.ts'
import { type Passing, PassingSums } from './passing-sums.ts'
import { StoredSteps } from './steps.ts'
import type { BucketSeries } from './summary.ts'
import { decodeTimeLine, type TimeLine } from './time-codec.ts'
import { kinds, skipRuns } from './value-codec.ts'

type Span = { since: number; to: number }
/** Unpacked chunk, with its steps when buckets are long enough for some. */
type OpenChunk = { plain: Buffer; steps: Buffer | null }

/**
 * Adds the values of a chunk in a span to buckets. The most common forms of numbers are summed
 * while they are read, because one chart reads months of values.
 */
export function addChunkValues(into: BucketSeries, { plain, steps }: OpenChunk, span: Span) {
  const reader = new ByteReader(plain)
  const count = reader.varint()
  const times = decodeTimeLine(reader, count, passingTimes)
  if (reader.byte() === 1) skipRuns(reader, count)
  const passing = reader.byte() === kinds.numbers ? passingOf(reader, count) : undefined
  if (!passing) {
    into.addColumns(between(decodePassing(plain), span.since, span.to))
    return
  }
  const rows = new Rows(into, times, passing)
  if (steps) addBySteps(rows, new StoredSteps(steps), span)
  else rows.add(times.firstAt(span.since), times.firstAt(span.to))
}

function passingOf(reader: ByteReader, count: number): Passing | undefined {
  const mode = reader.byte()
  if (mode === differences) return new PassingSums(reader, count)
  if (mode === bits) return new PassingBits(reader, count)
  if (mode !== patched) return undefined
  const odd = readOdd(reader)
  if (reader.byte() !== differences) return undefined
  return new PassingOdd(odd, new PassingSums(reader, count))
}

/** Decodes only the steps in which the span or a bucket begins or ends. */
function addBySteps(rows: Rows, steps: StoredSteps, { since, to }: Span) {
  const { into, times } = rows
  let row = 0
  for (let at = 0; at < steps.count && steps.t0(at) < to; at += 1) {
    const t0 = steps.t0(at)
    const t1 = steps.t1(at)
    const end = row + steps.n(at)
    if (t0 >= since && t1 < to && t1 < into.endAt(t0)) into.addSummary(steps.summary(at))
    else if (t1 >= since)
      rows.add(Math.max(row, times.firstAt(since)), Math.min(end, times.firstAt(to)))
    rows.know(end, steps.last(at))
    row = end
  }
}

/** Rows of a chunk in order; rows before the needed ones are skipped. */
class Rows {
  readonly into: BucketSeries
  readonly times: TimeLine
  private readonly passing: Passing
  private at = 0
  private known: { row: number; last: number } | undefined
  constructor(into: BucketSeries, times: TimeLine, passing: Passing) {
    this.into = into
    this.times = times
    this.passing = passing
  }

  /** Notes the value of the row before `row`, so that it need not be read. */
  know(row: number, last: number | undefined) {
    if (last !== undefined) this.known = { row, last }
  }

  /** Adds rows `from` to `to` (excluded) to their buckets. */
  add(from: number, to: number) {
    if (from >= to) return
    this.goTo(from)
    const { into, times } = this
    while (this.at < to) {
      const t0 = times.at(this.at)
      const next = Math.min(to, times.firstAt(into.endAt(t0)))
      into.addSummary(this.passing.take(next - this.at, { t0, t1: times.at(next - 1) }))
      this.at = next
    }
  }

  private goTo(row: number) {
    const { known } = this
    if (known && known.row > this.at && known.row <= row) {
      this.passing.skip(known.row - this.at, known.last)
      this.at = known.row
    }
    if (row > this.at) this.passing.skip(row - this.at)
    this.at = row
  }
}
