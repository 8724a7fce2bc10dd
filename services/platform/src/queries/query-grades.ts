import type { Point } from '@longreach/telemetry/store'
import { rawPoints, type Reading } from './query-read.ts'
import type { Found } from './query-source.ts'
import { stepFinder } from './query-steps.ts'

const hourMs = 3_600_000
/** Hours that are looked at value by value; of more each hour counts as a whole. */
const mostHours = 240
/** A hundred years of them. */
const allHours = 900_000

/**
 * Figures of steps with the worst quality of the values in each. Only hours that are known to hold a
 * value that is not good are looked at.
 */
export async function withGrades(
  reading: Reading,
  found: Found,
  { points, starts }: { points: Point[]; starts: readonly number[] },
): Promise<Point[]> {
  const { plan, telemetry } = reading
  if (!plan.quality || !found.past) return points
  const range = { since: plan.since, to: plan.to, limit: allHours }
  const hours = await telemetry.gradedHours(found.series.id, range)
  if (hours.length === 0) return points
  const worst = new Uint8Array(starts.length)
  const find = stepFinder({ starts, to: plan.to })
  const mark = (t: number, grade: number) => {
    const step = find(t)
    if (grade > (worst[step] ?? 0)) worst[step] = grade
  }
  const markAll = (page: readonly Point[]) => {
    for (const { t, q } of page) if (q > 0) mark(t, q)
  }
  if (hours.length > mostHours) {
    for (const { hour, worst: grade } of hours) mark(Math.max(hour, plan.since), grade)
  } else {
    for (const { hour } of hours) {
      const stretch = { since: Math.max(hour, plan.since), to: Math.min(hour + hourMs, plan.to) }
      const within = { ...reading, plan: { ...plan, ...stretch, newest: false } }
      for await (const page of rawPoints(within, found)) markAll(page)
    }
  }
  return points.map((point) => {
    const q = worst[find(point.t)] ?? 0
    return q > 0 ? { ...point, q } : point
  })
}
