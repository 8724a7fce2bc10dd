import type { Bucket, Point } from '@longreach/telemetry/store'
import { numberOf } from './query-figures.ts'

type Steps = { since: number; width: number }

/**
 * Least and greatest value of each bucket, in the order that keeps the line's course; a null where
 * one or more buckets are empty, so that a chart shows the gap.
 */
export function extremes(buckets: readonly Bucket[], width: number): Point[] {
  const points: Point[] = []
  let expected: number | undefined
  for (const { start, min, max, first, last, count } of buckets) {
    if (expected !== undefined && start > expected) points.push({ t: expected, v: null, q: 0 })
    expected = start + width
    if (min === null || max === null) continue
    if (count === 1 || min === max) {
      points.push({ t: start, v: min, q: 0 })
      continue
    }
    const rising = (first ?? 0) <= (last ?? 0)
    points.push({ t: start, v: rising ? min : max, q: 0 })
    points.push({ t: start + Math.floor(width / 2), v: rising ? max : min, q: 0 })
  }
  return points
}

/** Buckets of points that are no series of their own, as the store makes them of a series. */
export async function bucketsOfPoints(
  pages: AsyncIterable<readonly Point[]>,
  { since, width }: Steps,
): Promise<Bucket[]> {
  const buckets: Bucket[] = []
  let counted = 0
  for await (const page of pages) {
    for (const { t, v } of page) {
      const start = since + Math.floor((t - since) / width) * width
      let bucket = buckets.at(-1)
      if (bucket?.start !== start) {
        bucket = { ...emptyBucket, start }
        buckets.push(bucket)
        counted = 0
      }
      bucket.count += 1
      bucket.lastT = t
      const number = numberOf(v)
      if (number !== undefined) addFigure(bucket, number, ++counted)
    }
  }
  return buckets
}

const none = { min: null, max: null, sum: null, avg: null, first: null, last: null }
const emptyBucket: Bucket = { start: 0, count: 0, lastT: 0, ...none }

/** Add the `counted`th figure of the bucket. */
function addFigure(bucket: Bucket, figure: number, counted: number) {
  bucket.min = Math.min(bucket.min ?? figure, figure)
  bucket.max = Math.max(bucket.max ?? figure, figure)
  bucket.sum = (bucket.sum ?? 0) + figure
  bucket.avg = bucket.sum / counted
  bucket.first ??= figure
  bucket.last = figure
}

/** The first and the last point of each step: what can be shown of values that are no numbers. */
export async function* ends(
  pages: AsyncIterable<Point[]>,
  { since, width }: Steps,
): AsyncIterable<Point[]> {
  let step: number | undefined
  let last: Point | undefined
  for await (const page of pages) {
    const points: Point[] = []
    for (const point of page) {
      const at = Math.floor((point.t - since) / width)
      if (at === step) {
        last = point
        continue
      }
      if (last) points.push(last)
      points.push(point)
      last = undefined
      step = at
    }
    yield points
  }
  if (last) yield [last]
}
