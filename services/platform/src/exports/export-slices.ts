import type { Plan } from '../queries/query-plan.ts'
import { type Counting, idsAtOnce, type Slice } from '../queries/stored-counts.ts'

/** Most values of one slice: they are in memory while its rows are made. */
const mostInSlice = 100_000
const pieces = 64

/** Stored values of some series in each of equal pieces of a range. */
async function countPieces(
  { telemetry, ids, signal }: Counting,
  { since, to }: Slice,
  width: number,
) {
  const counts: number[] = Array.from({ length: Math.ceil((to - since) / width) }, () => 0)
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    signal.throwIfAborted()
    const some = ids.slice(at, at + idsAtOnce)
    for (const buckets of await telemetry.buckets(some, { since, to, width })) {
      for (const { start, count } of buckets) {
        const place = Math.floor((start - since) / width)
        counts[place] = (counts[place] ?? 0) + count
      }
    }
  }
  return counts
}

/** The range in parts beside each other, each with so few values that they fit in memory. */
export async function* slicesOf(
  counting: Counting,
  { since, to }: Slice,
  most = mostInSlice,
): AsyncGenerator<Slice> {
  if (to <= since) return
  const width = Math.max(1, Math.ceil((to - since) / pieces))
  const counts = await countPieces(counting, { since, to }, width)
  let from = since
  let held = 0
  for (const [place, count] of counts.entries()) {
    const start = since + place * width
    if (held > 0 && held + count > most) {
      yield { since: from, to: start }
      from = start
      held = 0
    }
    if (count > most && width > 1) {
      if (from < start) yield { since: from, to: start }
      from = Math.min(to, start + width)
      yield* slicesOf(counting, { since: start, to: from }, most)
    } else held += count
  }
  if (from < to) yield { since: from, to }
}

const mostCells = 100_000

/** The plan for some steps at a time, so that all columns of them fit in memory. */
export function* steppedPlans(plan: Plan, columns: number): Generator<Plan> {
  const { grid } = plan
  if (!grid) return
  const { starts, to } = grid.steps
  const atOnce = Math.max(1, Math.floor(mostCells / Math.max(1, columns)))
  for (let at = 0; at < starts.length; at += atOnce) {
    const some = starts.slice(at, at + atOnce)
    const [since = plan.since] = some
    const end = starts[at + atOnce] ?? to
    yield { ...plan, since, to: end, grid: { ...grid, steps: { starts: some, to: end } } }
  }
}
