import type { Bucket, Point } from '@longreach/telemetry/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathMatches } from './path-patterns.ts'
import { fillAt, fillValue } from './query-fill.ts'
import { type Figure, figureNames, figureOf } from '@longreach/formula/figures'
import { figuresOfBuckets, figuresOfPoints, inBuckets } from './query-figures.ts'
import { fillPolicies, paddingPolicies } from '@longreach/formula/missing'
import { mergedRows } from './query-merge.ts'
import { planOf } from './query-plan.ts'
import { bucketsOfPoints } from './query-pixels.ts'
import { stepsOf } from '@longreach/calendar/steps'
import { runsOf } from './query-steps.ts'
import { readTime } from '../times/read-time.ts'
import { TagQuestion } from './tag-contract.ts'

const points = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: -50, max: 50 })), {
    selector: ([t]) => t,
    maxLength: 60,
  })
  .map((all) => all.toSorted(([a], [b]) => a - b).map(([t, v]): Point => ({ t, v, q: 0 })))

/** The points in pages of every size. */
async function* paged(all: readonly Point[], size = 7) {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
async function all(pages: AsyncIterable<Point[]>) {
  const found: [number, unknown][] = []
  for await (const page of pages) for (const { t, v } of page) found.push([t, v])
  return found
}

/** As one would say it: the numbers of a step, and what came before them. */
function naively({ name, param = 50 }: Figure, numbers: number[], before: number | undefined) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const sum = numbers.reduce((total, one) => total + one, 0)
  const rank = (param / 100) * (sorted.length - 1)
  const [low = 0, high = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]]
  const figures = {
    average: sum / numbers.length,
    min: sorted[0],
    max: sorted.at(-1),
    sum,
    count: numbers.length,
    first: numbers[0],
    last: numbers.at(-1),
    delta: numbers.at(-1)! - (before ?? numbers[0]!),
    percentile: low + (high - low) * (rank % 1),
    timeWeightedAverage: undefined,
  }
  return figures[name]
}

const plain = figureNames.filter((name) => name !== 'timeWeightedAverage')

test('figures of steps are those of a naive computation, from points and from buckets [C-20]', async () => {
  const width = fc.integer({ min: 1, max: 400 })
  const figure = fc
    .constantFrom(...plain)
    .chain((name) => fc.integer({ min: 0, max: 100 }).map((param): Figure => ({ name, param })))
  await fc.assert(
    fc.asyncProperty(
      points,
      width,
      figure,
      fc.option(fc.integer()),
      async (given, step, one, earlier) => {
        const steps = stepsOf({ size: step, unit: 'milliseconds' }, { since: 0, to: 1_000 })
        const before = earlier === null ? undefined : { t: -1, v: earlier, q: 0 }
        const expected: [number, unknown][] = []
        let last = before?.v
        for (const start of steps.starts) {
          const inside = given.filter(({ t }) => t >= start && t < start + step)
          const numbers = inside.map(({ v }) => Number(v))
          if (numbers.length === 0) continue
          expected.push([start, naively(one, numbers, last)])
          last = numbers.at(-1)
        }
        const close = ([t, v]: [number, unknown]) => [t, expect.closeTo(Number(v), 8)]
        const streamed = await all(
          figuresOfPoints(paged(given), steps, one, before ? { before } : {}),
        )
        expect(streamed).toEqual(expected.map(close))
        if (!inBuckets(one)) return
        const buckets: Bucket[] = await bucketsOfPoints(paged(given), { since: 0, width: step })
        const counted = figuresOfBuckets(buckets, one, before?.v).map(({ t, v }) => [t, v])
        expect(counted).toEqual(expected.map(close))
      },
    ),
    { numRuns: 150 },
  )
})

test('a time-weighted average is that of the line of held values, ms by ms', async () => {
  await fc.assert(
    fc.asyncProperty(
      points,
      fc.integer({ min: 20, max: 400 }),
      fc.option(fc.integer({ min: -9, max: 9 })),
      async (given, step, earlier) => {
        const steps = stepsOf({ size: step, unit: 'milliseconds' }, { since: 0, to: 1_000 })
        const before = earlier === null ? undefined : { t: -5, v: earlier, q: 0 }
        const found = await all(
          figuresOfPoints(
            paged(given),
            steps,
            { name: 'timeWeightedAverage' },
            before ? { before } : {},
          ),
        )
        const byStart = new Map(found)
        let held = before?.v
        const line = Array.from({ length: 1_000 }, (_, t) => {
          const here = given.find((point) => point.t === t)
          if (here) held = Number(here.v)
          return held
        })
        for (const start of steps.starts) {
          const known = line.slice(start, start + step).filter((v) => v !== undefined)
          const sum = known.reduce((total, one) => total + one, 0)
          if (known.length === 0) expect(byStart.has(start)).toBe(false)
          else expect(byStart.get(start)).toBeCloseTo(sum / known.length, 6)
        }
      },
    ),
    { numRuns: 100 },
  )
})

test('figures are known by their older names and by percentile', () => {
  expect(figureOf('avg')).toEqual({ name: 'average' })
  expect(figureOf('p99.9')).toEqual({ name: 'percentile', param: 99.9 })
  expect(figureOf('median')).toEqual({ name: 'percentile', param: 50 })
  expect(figureOf('percentile', 25)).toEqual({ name: 'percentile', param: 25 })
  expect(figureOf('twa')).toEqual({ name: 'timeWeightedAverage' })
  for (const name of ['percentile', 'constructor', 'mode']) expect(figureOf(name)).toBeUndefined()
  expect(figureOf('percentile', 101)).toBeUndefined()
})

test('days, weeks and months follow the calendar of the zone, with days of 23 and 25 hours [C-20]', () => {
  const hours = (from: string, to: string, timezone: string, unit: 'days' | 'weeks' | 'months') => {
    const steps = stepsOf(
      { size: 1, unit },
      { since: Date.parse(from), to: Date.parse(to), timezone },
    )
    return steps.starts.map(
      (start, index) => ((steps.starts[index + 1] ?? steps.to) - start) / 3_600_000,
    )
  }
  expect(hours('2026-03-27T23:00Z', '2026-03-30T22:00Z', 'Europe/Rome', 'days')).toEqual([
    24, 23, 24,
  ])
  expect(hours('2026-10-23T22:00Z', '2026-10-26T23:00Z', 'Europe/Rome', 'days')).toEqual([
    24, 25, 24,
  ])
  expect(hours('2026-10-31T04:00Z', '2026-11-02T05:00Z', 'America/New_York', 'days')).toEqual([
    24, 25,
  ])
  expect(hours('2026-03-01T12:00Z', '2026-05-01T00:00Z', 'UTC', 'months')).toEqual([
    30.5 * 24,
    30 * 24,
  ])
  expect(hours('2026-03-22T23:00Z', '2026-04-06T00:00Z', 'Europe/Rome', 'weeks')[0]).toBe(
    7 * 24 - 1,
  )
  // Clocks that go forward at midnight: the day begins at one o'clock.
  expect(hours('2026-04-23T22:00Z', '2026-04-25T21:00Z', 'Africa/Cairo', 'days')).toEqual([23, 24])
})

test('each day begins at the first ms of its date, in any zone and year', () => {
  const zones = [
    'Europe/Rome',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Sao_Paulo',
    'UTC',
  ]
  const day = 86_400_000
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 20_000 }),
      (timezone, offset) => {
        const since = Date.UTC(1995, 0, 1) + offset * day * 0.6
        const { starts } = stepsOf(
          { size: 1, unit: 'days' },
          { since, to: since + 20 * day, timezone },
        )
        const date = new Intl.DateTimeFormat('sv', { timeZone: timezone })
        for (const start of starts.slice(1)) {
          expect(date.format(start) > date.format(start - 1)).toBe(true)
        }
        const dates = starts.map((start) => date.format(start))
        expect(new Set(dates).size).toBe(dates.length)
      },
    ),
    { numRuns: 60 },
  )
})

test('steps of equal width are asked of the store together', () => {
  const zone = {
    since: Date.parse('2026-03-01T12:00Z'),
    to: Date.parse('2026-04-10T12:00Z'),
    timezone: 'Europe/Rome',
  }
  const steps = stepsOf({ size: 1, unit: 'days' }, zone)
  const runs = runsOf(steps)
  expect(runs.map(({ width }) => width / 3_600_000)).toEqual([11, 24, 23, 24])
  const starts = runs.flatMap(({ since, to, width }) =>
    Array.from({ length: Math.ceil((to - since) / width) }, (_, index) => since + index * width),
  )
  expect(starts).toEqual(steps.starts)
})

test('gaps are filled as a naive search of the neighbours says', () => {
  const times = Array.from({ length: 20 }, (_, index) => index * 50)
  const missing = fc.record({
    fill: fc.constantFrom(...fillPolicies),
    padding: fc.constantFrom(...paddingPolicies),
  })
  const some = fc.uniqueArray(fc.tuple(fc.nat(19), fc.integer({ min: -9, max: 9 })), {
    selector: ([at]) => at,
  })
  const edge = fc.option(fc.integer({ min: -9, max: 9 }), { nil: undefined })
  fc.assert(
    fc.property(some, missing, edge, edge, (given, policy, earlier, later) => {
      const known = given
        .toSorted(([a], [b]) => a - b)
        .map(([at, v]): Point => ({ t: at * 50, v, q: 0 }))
      const edges = {
        before: earlier === undefined ? undefined : { t: -100, v: earlier, q: 0 },
        after: later === undefined ? undefined : { t: 1_500, v: later, q: 0 },
      }
      const found = fillAt(times, known, policy, edges)
      for (const [index, t] of times.entries()) {
        const here = known.find((point) => point.t === t)
        const before = known.findLast((point) => point.t < t) ?? edges.before
        const after = known.find((point) => point.t > t) ?? edges.after
        expect(found[index]).toEqual(
          here ? here.v : fillValue(t, { before, after }, policy, undefined),
        )
      }
    }),
    { numRuns: 300 },
  )
})

test('each policy gives what its name says', () => {
  const before = { t: 0, v: 10, q: 0 }
  const after = { t: 100, v: 20, q: 0 }
  const at = (
    fill: (typeof fillPolicies)[number],
    padding: (typeof paddingPolicies)[number] = 'NULL',
    around = { before: before as Point | undefined, after: after as Point | undefined },
  ) => fillValue(25, around, { fill, padding }, { t: 500, v: 99, q: 0 })
  expect(at('LINEAR_INTERPOLATION')).toBe(12.5)
  expect(at('EXTEND_LAST_VALUE')).toBe(10)
  expect(at('NEXT_VALUE')).toBe(20)
  expect(at('CURRENT_VALUE')).toBe(99)
  expect(at('USE_NULL')).toBeNull()
  expect(at('USE_ZERO')).toBe(0)
  const nothing = { before: undefined, after: undefined }
  const padded = paddingPolicies.map((padding) => at('EXTEND_LAST_VALUE', padding, nothing))
  expect(padded).toEqual([undefined, null, 0, 0, null])
})

test('columns side by side are those of a naive merge', async () => {
  await fc.assert(
    fc.asyncProperty(points, points, fc.constantFrom(...fillPolicies), async (one, other, fill) => {
      const columns = [one, other].map((given, index) => ({
        pages: paged(given, 3 + index),
        edges: {},
      }))
      const rows: unknown[] = []
      for await (const page of mergedRows(columns, { fill, padding: 'NULL' }))
        rows.push(...page.map(({ t, values }) => [t, ...values]))
      const times = [...new Set([...one, ...other].map(({ t }) => t))].toSorted((a, b) => a - b)
      const valueAt = (given: Point[], t: number) => {
        const before = given.findLast((point) => point.t < t)
        const after = given.find((point) => point.t > t)
        const here = given.find((point) => point.t === t)
        return here ? here.v : fillValue(t, { before, after }, { fill, padding: 'NULL' }, undefined)
      }
      expect(rows).toEqual(times.map((t) => [t, valueAt(one, t), valueAt(other, t)]))
    }),
    { numRuns: 100 },
  )
})

test('patterns match as the expression they stand for', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '/', '[0]', 'ab'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  const pattern = fc
    .array(fc.constantFrom('a', 'b', '/', '[*]', '*', '**', 'ab'), { maxLength: 5 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(pattern, text, (shape, path) => {
      const source = shape
        .split(/(\*\*|\*)/)
        .map((part) =>
          part === '**' ? '.*' : part === '*' ? '[^/]*' : part.replaceAll(/[[\]]/g, '\\$&'),
        )
        .join('')
      expect(pathMatches(shape, path)).toBe(new RegExp(`^${source}$`).test(path))
    }),
    { numRuns: 500 },
  )
  // Work grows with the lengths only.
  expect(pathMatches('*a'.repeat(200), 'a'.repeat(2_000))).toBe(true)
  expect(pathMatches(`${'**a'.repeat(200)}b`, 'a'.repeat(2_000))).toBe(false)
})

test('times are ISO, ms, or reach back from now', () => {
  const now = Date.parse('2026-01-05T12:00:00Z')
  expect(readTime('now-15m', now)).toBe(now - 900_000)
  expect(readTime('-2h', now)).toBe(now - 7_200_000)
  expect(readTime('now', now)).toBe(now)
  expect(readTime('1767571200000', now)).toBe(1_767_571_200_000)
  expect(readTime('2026-01-05T01:00:00+01:00', now)).toBe(Date.parse('2026-01-05T00:00:00Z'))
  for (const wrong of ['yesterday', 'now-', '-', '', '2026-13-45', 'now-1y'])
    expect(readTime(wrong, now)).toBeUndefined()
})

test('no question makes planning throw, hang or promise too much', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'now-1h',
      'now',
      '2026-01-01',
      '',
      'a + b',
      '{"size":10}',
      'days',
      'average',
      'SCALAR',
      'Europe/Rome',
      'table',
      'DESCRIBE',
    ),
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.double(),
  )
  const sampling = fc.record(
    {
      size: fc.oneof(fc.double(), fc.integer()),
      unit: fc.constantFrom('days', 'month', 'ms', 'hours', 'years'),
      extent: fc.option(fc.integer()),
    },
    { requiredKeys: [] },
  )
  const some = fc.oneof(word, fc.object({ maxDepth: 2 }))
  const question = fc.record(
    {
      since: word,
      to: word,
      sinceAfter: word,
      limit: word,
      format: word,
      timezone: word,
      downsampling: some,
      aggregation: fc.oneof(
        some,
        fc.record(
          { type: word, mode: word, size: word, unit: word, sampling },
          { requiredKeys: [] },
        ),
      ),
      alignment: fc.oneof(some, fc.record({ sampling, aggregation: word }, { requiredKeys: [] })),
      functions: fc.oneof(
        some,
        fc.record({ formula: fc.record({ map: word, reduce: some }, { requiredKeys: [] }) }),
      ),
      filters: some,
      filterCondition: word,
      filterStructFields: some,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(question, (raw) => {
      const parsed = TagQuestion.safeParse(raw)
      if (!parsed.success) return
      const planned = planOf(parsed.data, Date.parse('2026-01-05T12:00:00Z'))
      if (planned.ok)
        expect(planned.plan.grid?.steps.starts.length ?? 0).toBeLessThanOrEqual(110_000)
      else expect(planned.message).not.toBe('')
    }),
    { numRuns: 2_000 },
  )
})
