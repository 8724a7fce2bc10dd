import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartRuns } from './chart-runs.ts'

const hour = 3_600_000

test('the runs of a chart cover its range once, in at most so many buckets and two short ones', () => {
  const asked = fc.record({
    since: fc.integer({ min: 0, max: 2e12 }),
    length: fc.integer({ min: 1, max: 1e11 }),
    size: fc.integer({ min: 1, max: 20_000 }),
  })
  fc.assert(
    fc.property(asked, ({ since, length, size }) => {
      const to = since + length
      const { runs, width } = chartRuns({ since, to, size })
      expect(runs[0]?.since).toBe(since)
      expect(runs.at(-1)?.to).toBe(to)
      for (const [at, run] of runs.entries()) expect(run.since).toBe(runs[at - 1]?.to ?? since)
      const buckets = runs.map((run) => Math.ceil((run.to - run.since) / run.width))
      expect(buckets.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(size + 2)
      // Buckets of long ranges begin at whole hours, except at the ends.
      if (length / size >= hour) expect(width % hour).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('a year in a thousand buckets stands on steps of six hours of UTC', () => {
  const since = Date.UTC(2025, 2, 14, 9, 26)
  const { width, runs } = chartRuns({ since, to: since + 365 * 24 * hour, size: 1000 })
  expect(width).toBe(12 * hour)
  expect(runs.map((run) => run.since % width)).toEqual([since % width, 0, 0])
})

test('a range that lies within one step is one run', () => {
  const range = { since: 1, to: 3_600_002 }
  expect(chartRuns({ ...range, size: 1 }).runs).toEqual([{ ...range, width: 2 * hour }])
})
