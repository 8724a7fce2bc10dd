import { testDatabase } from '@longreach/kit/test-database'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketsByHand } from './buckets-by-hand.ts'
import { type Columns, firstAt } from './columns.ts'
import type { Value } from './point.ts'
import { decodeSteps, stepsOf } from './steps.ts'
import { openTelemetry, type TelemetryStore } from './store.ts'
import { summarize } from './summary.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 5)

let database: Awaited<ReturnType<typeof testDatabase>>
let store: TelemetryStore
beforeAll(async () => {
  database = await testDatabase()
  store = await openTelemetry({ pool: database.pool })
})
afterAll(async () => {
  await store.close()
  await database.close()
})

const number = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.constantFrom(NaN, 0.1, Infinity, -0),
)

test('the figures of every step come back as they were, whatever the values [C-20]', () => {
  const many = fc.array(fc.tuple(fc.integer({ min: 1, max: 600_000 }), number), {
    minLength: 500,
    maxLength: 1500,
  })
  fc.assert(
    fc.property(many, fc.integer({ min: -(2 ** 45), max: 2 ** 45 }), (rows, from) => {
      let t = from
      const columns: Columns = {
        t: Float64Array.from(rows, ([gap]) => (t += gap)),
        v: Float64Array.from(rows, ([, v]) => v),
        q: undefined,
      }
      const { step, steps } = stepsOf(columns)
      if (step === 0) return
      const parts = decodeSteps(steps)
      const expected = parts.map(({ t0 }) => {
        const begin = Math.floor(t0 / step) * step
        return summarize(columns, firstAt(columns.t, begin), firstAt(columns.t, begin + step))
      })
      expect(parts).toEqual(expected)
      expect(parts.reduce((sum, { n }) => sum + n, 0)).toBe(rows.length)
    }),
    { numRuns: 100 },
  )
})

let series = 0
const freshSeries = () => store.seriesOf('acme', `steps-${++series}`, 'Oven:1/heat', 'double')

// Whole steps, parts of them, and offsets of real time zones.
const widths = [hour, 2 * hour, 6 * hour, 23 * hour, 24 * hour, 48 * hour, hour / 2, 7_777_777]
const asked = fc.record({
  since: fc.oneof(
    fc.integer({ min: -30, max: 80 }).map((hours) => hours * hour),
    fc.integer({ min: -hour, max: 80 * hour }),
  ),
  length: fc.oneof(
    fc.integer({ min: 1, max: 120 }).map((hours) => hours * hour),
    fc.integer({ min: 1, max: 120 * hour }),
  ),
  width: fc.constantFrom(...widths),
})
const late = fc.array(
  // Integers, so that sums do not depend on the order of addition.
  fc.tuple(
    fc.integer({ min: 0, max: 96 * hour }),
    fc.oneof(fc.integer({ min: -500, max: 500 }), fc.constantFrom(null, NaN, true)),
  ),
  { maxLength: 8 },
)

test('buckets of whole steps equal a computation by hand, with late and repeated values [C-20]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 60_000, max: 400_000 }),
      late,
      fc.boolean(),
      fc.array(asked, { minLength: 4, maxLength: 8 }),
      async (every, corrections, seal, questions) => {
        const id = await freshSeries()
        const newest = new Map<number, Value>()
        const put = async (rows: (readonly [number, Value])[]) => {
          for (const [t, v] of rows) newest.set(start + t, v)
          const batch = { t: rows.map(([t]) => start + t), v: rows.map(([, v]) => v) }
          await store.append({ series: rows.map(() => id), ...batch })
        }
        const count = Math.floor((72 * hour) / every)
        await put(Array.from({ length: count }, (_, n) => [n * every, (n * 7) % 101] as const))
        await store.sealNow()
        await put(corrections)
        if (seal) await store.sealNow()
        for (const { since, length, width } of questions) {
          const range = { since: start + since, to: start + since + length, width }
          const [buckets] = await store.buckets([id], range)
          expect(buckets).toEqual(bucketsByHand(newest, range))
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('a chart of whole hours over months is made of steps, not of values', async () => {
  const id = await freshSeries()
  const every = 30_000
  for (let day = 0; day < 20; day += 1)
    await store.append({
      series: Array.from({ length: 2880 }, () => id),
      t: Array.from({ length: 2880 }, (_, n) => start + day * 24 * hour + n * every),
      v: Array.from({ length: 2880 }, (_, n) => n % 50),
    })
  await store.sealNow()
  // With the values' bytes removed, only the steps can answer.
  await database.pool.query(`update telemetry.chunk set data = '' where series = $1`, [id])
  const range = { since: start, to: start + 20 * 24 * hour, width: 6 * hour }
  const [buckets = []] = await store.buckets([id], range)
  expect(buckets).toHaveLength(80)
  expect(buckets.every(({ count, min, max }) => count === 720 && min === 0 && max === 49)).toBe(
    true,
  )
})

test('buckets of any range, of minutes to days, equal a computation by hand [C-20]', async () => {
  const minute = 60_000
  const anyRange = fc.record({
    since: fc.integer({ min: -hour, max: 50 * hour }),
    length: fc.oneof(fc.constant(24 * hour), fc.integer({ min: 1, max: 60 * hour })),
    width: fc.oneof(
      fc.constantFrom(10 * minute, hour, 3 * hour, 24 * hour),
      fc.integer({ min: minute, max: 30 * hour }),
    ),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 15_000, max: 36_000 }),
      fc.constantFrom(0, 1, 40),
      fc.constantFrom('walk', 'set point', 'bits'),
      fc.array(anyRange, { minLength: 6, maxLength: 12 }),
      async (every, late, kind, questions) => {
        const id = await freshSeries()
        const stored = new Map<number, Value>()
        const count = Math.floor((52 * hour) / every)
        for (let n = 0; n < count; n += 1) {
          const t = start + n * every + (late === 0 ? 0 : (n * 7919) % late)
          // Halves and powers of two, so that sums do not depend on the order of addition.
          if (kind === 'walk') stored.set(t, ((n * 37) % 401) / 2 - 60)
          else if (kind === 'set point') stored.set(t, Math.floor(n / 500) * 1000)
          else stored.set(t, 2 ** ((n % 24) - 12))
        }
        const t = [...stored.keys()]
        await store.append({ series: t.map(() => id), t, v: [...stored.values()] })
        await store.sealNow()
        for (const { since, length, width } of questions) {
          const range = { since: start + since, to: start + since + length, width }
          const [buckets] = await store.buckets([id], range)
          expect(buckets).toEqual(bucketsByHand(stored, range))
        }
      },
    ),
    { numRuns: 12 },
  )
  const { rows } = await database.pool.query('select from telemetry.chunk where step = $1', [hour])
  expect(rows.length).toBeGreaterThan(0)
})
