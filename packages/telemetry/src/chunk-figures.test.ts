import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeChunk, unpacked } from './chunk-codec.ts'
import { addChunkValues } from './chunk-figures.ts'
import { between, type Columns } from './columns.ts'
import type { Bucket } from './point.ts'
import { noSteps, stepsOf } from './steps.ts'
import { BucketSeries } from './summary.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 0, 5)

const steps = fc.array(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.nat(999)), {
  minLength: 600,
  maxLength: 1200,
})
const forms = fc.constantFrom('tenths', 'long', 'bits', 'bits with NaN', 'odd', 'crossing zero')
const odd = [NaN, -0, Infinity, 0.1 + 0.2]

/** Half a day to a day of values in each form in which numbers are stored. */
const signal = fc.tuple(steps, forms, fc.boolean()).map(([rows, form, jitter]): Columns => {
  let whole = 0
  const v = rows.map(([step, dice], row) => {
    whole += form === 'long' ? step * 100_003 : step
    if (form === 'bits') return whole / 7
    if (form === 'bits with NaN') return dice < 80 ? NaN : whole / 7
    if (form === 'odd' && dice < 40) return odd[row % odd.length] ?? 0
    if (form === 'crossing zero') return Math.round(Math.sin(row / 9) * 40 + (dice % 9)) / 10
    return whole / 10
  })
  // A gap of a minute now and then, after which the position on the grid is stored again.
  const place = (row: number) => row + (jitter ? 2 * Math.floor(row / 100) : 0)
  const t = rows.map(([, dice], row) => start + place(row) * 30_000 + (jitter ? dice : 0))
  return { t: Float64Array.from(t), v: Float64Array.from(v), q: undefined }
})
const range = fc.record({
  since: fc.integer({ min: -2 * hour, max: 9 * hour }),
  length: fc.integer({ min: 1, max: 14 * hour }),
  width: fc.oneof(
    fc.constantFrom(10 * minute, hour, 6 * hour, 24 * hour),
    fc.integer({ min: minute, max: 15 * hour }),
  ),
})

test('a chunk adds the values of any range to its buckets, read in part or whole [C-20]', () => {
  fc.assert(
    fc.property(signal, range, (columns, { since, length, width }) => {
      const span = { since: start + since, to: start + since + length }
      const plain = unpacked(encodeChunk(columns))
      const stored = stepsOf(columns)
      expect(stored.step).toBe(hour)
      const byHand = new BucketSeries(span.since, width)
      byHand.addColumns(between(columns, span.since, span.to))
      const expected = byHand.buckets()
      const most = Array.from(columns.v, Number).reduce(
        (sum, value) => sum + (Number.isFinite(value) ? Math.abs(value) : 0),
        0,
      )
      const withoutSums = (bucket: Bucket) => ({ ...bucket, sum: 0, avg: 0 })
      for (const one of [noSteps, stored]) {
        const read = new BucketSeries(span.since, width)
        addChunkValues(read, { plain, steps: one.step > 0 ? one.steps : null }, span)
        const found = read.buckets()
        expect(found.map(withoutSums)).toEqual(expected.map(withoutSums))
        for (const [at, { sum }] of expected.entries()) {
          // Sums are rounded once for each part.
          if (sum === null || !Number.isFinite(sum)) expect(found[at]?.sum).toBe(sum)
          else expect(Math.abs((found[at]?.sum ?? NaN) - sum)).toBeLessThanOrEqual(most * 1e-12)
        }
      }
    }),
    { numRuns: 300 },
  )
})
