import type { BucketOptions } from './point.ts'

const hour = 3_600_000
const grids = [24 * hour, 6 * hour, hour]

/**
 * Bucket widths for a chart with about `size` buckets. Long ranges use whole hours, six hours or
 * days of UTC, which are read from the steps of chunks without decoding values; buckets at both
 * ends may be shorter. Short ranges are cut into equal buckets.
 */
export function chartRuns({ since, to, size }: { since: number; to: number; size: number }): {
  width: number
  runs: BucketOptions[]
} {
  const exact = Math.max(1, Math.ceil((to - since) / size))
  const grid = grids.find((span) => exact >= span)
  if (grid === undefined) return { width: exact, runs: [{ since, to, width: exact }] }
  const width = Math.ceil(exact / grid) * grid
  const start = Math.ceil(since / width) * width
  const end = Math.floor(to / width) * width
  // A range within one step contains no whole one.
  if (start > end) return { width, runs: [{ since, to, width }] }
  const runs = [
    { since, to: start, width },
    { since: start, to: end, width },
    { since: end, to, width },
  ]
  return { width, runs: runs.filter((run) => run.since < run.to) }
}
