import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeChunk, encodeChunk } from './chunk-codec.ts'
import { type Columns, PointBuffer } from './columns.ts'
import { decodeHead, encodeHead } from './head-codec.ts'
import type { Value } from './point.ts'

const time = fc.oneof(
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
  fc.integer({ min: -(2 ** 47), max: 2 ** 47 }),
)
const decimal = fc
  .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 4 }))
  .map(([whole, digits]) => whole / 10 ** digits)
const special = fc.constantFrom(NaN, Infinity, -Infinity, -0, 0, 2 ** 53, -(2 ** 53), 5e-324, 1e308)
const number = fc.oneof(decimal, fc.double(), special, fc.integer(), fc.maxSafeInteger())
// Inside JSON there is no negative zero: it is written as 0.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Value)
const values: fc.Arbitrary<Value>[] = [
  number,
  decimal,
  fc.integer(),
  fc.boolean(),
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('run', 'stop')),
  fc.oneof(json, number),
  fc.oneof(number, fc.constant(null)),
  fc.oneof(fc.boolean(), fc.constant(null)),
]
const arrivals = fc
  .constantFrom(...values)
  .chain((value) => fc.array(fc.tuple(time, value, fc.constantFrom(0, 0, 0, 1, 2))))

/** What reading must give: each time once, the value that came last, in order of time. */
function expected(points: [number, Value, number][]) {
  const newest = new Map(points.map((point) => [point[0], point]))
  return [...newest.values()].toSorted((a, b) => a[0] - b[0])
}
const listed = ({ t, v, q }: Columns) => Array.from(t, (at, row) => [at, v[row], q?.[row] ?? 0])

test('every value and time comes back in order, whatever the order of arrival [C-20]', () => {
  fc.assert(
    fc.property(arrivals, (points) => {
      const buffer = new PointBuffer()
      for (const point of points) buffer.push(...point)
      const data = encodeChunk(buffer.columns())
      expect(listed(decodeChunk(data))).toEqual(expected(points))
    }),
    { numRuns: 1000 },
  )
})

test('the write-ahead block keeps rows of many series in order of arrival', () => {
  const row = fc.record({
    series: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    t: time,
    v: fc.oneof(...values),
    q: fc.constantFrom(0, 1, 2),
    lastOnly: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const batches = rows.map(({ series, t, v, q, lastOnly }) => ({
        series: [series],
        t: [t],
        v: [v],
        q: [q],
        lastOnly,
      }))
      const back: object[] = []
      decodeHead(encodeHead(batches), (decoded) => back.push(decoded))
      expect(back).toEqual(rows)
    }),
    { numRuns: 500 },
  )
})

const walk = (count: number, next: (row: number) => number): Columns => ({
  t: Float64Array.from({ length: count }, (_, row) => 1.7e12 + row * 10_000),
  v: Float64Array.from({ length: count }, (_, row) => next(row)),
  q: undefined,
})

test.each([
  ['a set point', walk(8640, () => 42.5), 100],
  ['a counter', walk(8640, (row) => row * 25), 200],
  ['a decimal signal', walk(8640, (row) => Math.round(200 + 50 * Math.sin(row / 500)) / 10), 4000],
])('%s takes a fraction of a byte a value', (_name, columns, most) => {
  const data = encodeChunk(columns)
  expect(data.length).toBeLessThan(most)
  expect(listed(decodeChunk(data))).toEqual(listed(columns))
})

test('a damaged block is refused instead of read wrongly', () => {
  expect(() => decodeChunk(Buffer.from([0x77, 1, 2]))).toThrow('unknown form')
  const data = encodeChunk({ t: Float64Array.of(1, 5, 6), v: [true, false, true], q: undefined })
  expect(() => decodeChunk(data.subarray(0, 5))).toThrow()
})
