import type { Point } from '@longreach/telemetry/store'
import { numberOf } from './query-figures.ts'
import { rawPoints, type Reading } from './query-read.ts'
import type { Found } from './query-source.ts'

/** Columns of a path's description. */
export const description = {
  types: ['datetime', 'datetime', 'integer', 'double', 'double', 'double', 'double', 'double'],
  header: ['from', 'to', 'count', 'min', 'max', 'average', 'first', 'last'],
}

/** One row: of when the values are, how many, and the figures of the numbers among them; none without values. */
export async function* describedRows(reading: Reading, found: Found): AsyncIterable<unknown[][]> {
  const { plan, telemetry } = reading
  const whole = plan.filterRaw.length === 0 && found.field === undefined && found.past
  // A beginning is needed to make one bucket of everything; nothing was measured before 1970.
  const since = Math.max(0, plan.since)
  const width = Math.max(1, plan.to - since)
  const [buckets = []] = whole
    ? await telemetry.buckets([found.series.id], { since, to: plan.to, width })
    : []
  const [bucket] = buckets
  if (whole && !bucket) return
  if (!bucket)
    return yield* counted(rawPoints({ ...reading, plan: { ...plan, newest: false, since } }, found))
  const { count, min, max, avg, first, last, lastT } = bucket
  const from = await firstTime(reading, found, since)
  yield [[from ?? since, lastT, count, min, max, avg, first, last]]
}

async function firstTime({ telemetry, plan, signal }: Reading, { series }: Found, since: number) {
  const pages = telemetry.read(series.id, { since, to: plan.to, limit: 1, signal })
  for await (const page of pages) if (page[0]) return page[0].t
  return undefined
}

async function* counted(pages: AsyncIterable<Point[]>): AsyncIterable<unknown[][]> {
  let count = 0
  let ends: { from: number; to: number } | undefined
  const numbers = { count: 0, sum: 0, min: Infinity, max: -Infinity, first: 0, last: 0 }
  for await (const page of pages) {
    for (const { t, v } of page) {
      count += 1
      ends = { from: ends?.from ?? t, to: t }
      const number = numberOf(v)
      if (number === undefined) continue
      if (numbers.count === 0) numbers.first = number
      numbers.count += 1
      numbers.sum += number
      numbers.last = number
      numbers.min = Math.min(numbers.min, number)
      numbers.max = Math.max(numbers.max, number)
    }
  }
  if (!ends) return
  const { min, max, sum, first, last } = numbers
  const figures =
    numbers.count === 0
      ? [null, null, null, null, null]
      : [min, max, sum / numbers.count, first, last]
  yield [[ends.from, ends.to, count, ...figures]]
}
