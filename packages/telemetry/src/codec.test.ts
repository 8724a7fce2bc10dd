import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, ByteWriter } from './bytes.ts'
import { decodeChunk, encodeChunk, unpacked } from './chunk-codec.ts'
import { addChunkValues } from './chunk-figures.ts'
import { between, type Columns, PointBuffer } from './columns.ts'
import { decodeHead, encodeHead } from './head-codec.ts'
import type { Bucket, Value } from './point.ts'
import { BucketSeries } from './summary.ts'
import { decodeTimes, encodeTimes } from './time-codec.ts'

const time = fc.oneof(
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
  fc.integer({ min: -(2 ** 47), max: 2 ** 47 }),
)
const decimal = fc
  .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 4 }))
  .map(([whole, digits]) => whole / 10 ** digits)
const special = fc.constantFrom(NaN, Infinity, -Infinity, -0, 0, 2 ** 53, -(2 ** 53), 5e-324, 1e308)
const number = fc.oneof(decimal, fc.double(), special, fc.integer(), fc.maxSafeInteger())
// JSON has no negative zero: it is written as 0.
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

/** Expected values: each time once, with the last value written, in order of time. */
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

const walk = (count: number, next: (row: number) => number): Columns => ({
  t: Float64Array.from({ length: count }, (_, row) => 1.7e12 + row * 10_000),
  v: Float64Array.from({ length: count }, (_, row) => next(row)),
  q: undefined,
})

// Long enough that a few exceptions do not change the form to bits, with differences of one, two
// and many bytes.
const signal = fc
  .array(fc.tuple(fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer()), fc.nat(63), special), {
    minLength: 20,
    maxLength: 200,
  })
  .chain((rows) =>
    fc.tuple(fc.constant(rows), fc.constantFrom(1, 10, 1000), fc.boolean(), fc.nat(3)),
  )
  .map(([rows, scale, often, jitter]): Columns => {
    let whole = 0
    const v = rows.map(([step, dice, odd]) => {
      whole += step
      return dice < (often ? 16 : 1) ? odd : whole / scale
    })
    const t = rows.map(
      ([, dice], row) => 1.7e12 + row * 10_000 + (jitter === 0 ? 0 : dice * jitter),
    )
    return { t: Float64Array.from(t), v: Float64Array.from(v), q: undefined }
  })

test('a signal comes back bit by bit, whatever odd values are in it [C-20]', () => {
  fc.assert(
    fc.property(signal, (columns) => {
      const back = decodeChunk(encodeChunk(columns))
      expect(listed(back)).toEqual(listed(columns))
      expect([...back.v].map((value) => Object.is(value, -0))).toEqual(
        [...columns.v].map((value) => Object.is(value, -0)),
      )
    }),
    { numRuns: 500 },
  )
})

test('a signal that crosses zero stays small', () => {
  const signal = walk(8640, (row) => Math.round(Math.sin(row / 50) * 40) / 10)
  expect(signal.v.some((value) => Object.is(value, -0))).toBe(true)
  expect(encodeChunk(signal).length).toBeLessThan(6000)
})

test('adding values up as they are read gives the buckets of the values [C-20]', () => {
  const range = fc.tuple(fc.nat(2_000_000), fc.nat(2_000_000), fc.integer({ min: 1, max: 700_000 }))
  fc.assert(
    fc.property(signal, range, ({ t, v }, [from, length, width]) => {
      const q = width % 3 === 0 ? Uint8Array.from(t, (_, row) => (row % 5) >> 2) : undefined
      const span = { since: 1.7e12 + from - 100_000, to: 1.7e12 + from + length }
      const [read, listed] = [
        new BucketSeries(span.since, width),
        new BucketSeries(span.since, width),
      ]
      addChunkValues(read, { plain: unpacked(encodeChunk({ t, v, q })), steps: null }, span)
      listed.addColumns(between({ t, v, q }, span.since, span.to))
      // A sum of scaled numbers is rounded once; a sum of their values is rounded at each addition.
      const most = Array.from(v, Number).reduce((sum, value) => sum + Math.abs(value), 0)
      const plain = (bucket: Bucket) => ({ ...bucket, sum: 0, avg: 0 })
      expect(read.buckets().map(plain)).toEqual(listed.buckets().map(plain))
      for (const [at, { sum }] of listed.buckets().entries())
        if (Number.isFinite(most))
          expect(Math.abs((read.buckets()[at]?.sum ?? 0) - (sum ?? 0))).toBeLessThanOrEqual(
            most * 1e-13,
          )
    }),
    { numRuns: 500 },
  )
})

test.each([
  [
    'bits',
    'EBQBgKCr/vli6AcAAAAAzf5VAFVVZs2r/JqaVwDNMwAzAADM/1UAVVVmzKr/mZlVAMwzADMAAMz/VQBVVWbMqv+ZmVUAzDMAMwAAzP9VAFVVZsyq/5mZVQDMMwAzAADM/1UAVVVmzKr/mZlVAMwzADMAAMz/VQBVVWbMqv+ZmVUAzDMAMwAAIALU6D0lBiMzBTExBTM5HSQ95gBAAH//AABAwACAAACAAACAAAD/',
    [7, -0],
  ],
  [
    'differences',
    'EBQC7p+r/vli6gckJCQYGBgMDAwAAAAKCgoWFhYiIgAAAQEAqAEOmQGzASeIAbwBQnO9AVtcwAFyQ7sBhQEqtAE=',
    [7, 6.6],
  ],
  ['changes of differences', 'EBQBgKCr/vli6AcAAAIAAIgnAAAAAAAAAAACAwIAAAAAAAAA', [7, 17_500]],
])(
  'chunks of an installation from before odd values went aside are read: %s',
  (_form, data, known) => {
    const [row = 0, value] = known
    const { t, v } = decodeChunk(Buffer.from(data, 'base64'))
    expect(t).toHaveLength(20)
    expect(v[row]).toBe(value)
  },
)

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

test('times with jitter of a signal with a period take a byte each, and come back as they were', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 200, maxLength: 400 }),
      fc.constantFrom(1000, 10_000, 60_000),
      (late, period) => {
        const t = Float64Array.from(late, (ms, row) => 1.7e12 + row * period + ms)
        const out = new ByteWriter()
        encodeTimes(out, t)
        expect(out.length).toBeLessThan(t.length + 16)
        const read = decodeTimes(
          new ByteReader(Buffer.from(out.done())),
          new Float64Array(t.length),
        )
        expect([...read]).toEqual([...t])
      },
    ),
  )
})
