import type { Missing } from '@longreach/formula/missing'
import type { Point, Value } from '@longreach/telemetry/store'
import { numberOf } from './query-figures.ts'

/** The nearest values outside of the range, and the newest of all. */
export type Edges = {
  before?: Point | undefined
  after?: Point | undefined
  current?: Point | undefined
}

const searches = ({ padding }: Missing) => padding.startsWith('SEARCH')

/** Edges that a policy uses, so that others need not be read. */
export const edgesFor = (missing: Missing) => ({
  before: searches(missing) && ['LINEAR_INTERPOLATION', 'EXTEND_LAST_VALUE'].includes(missing.fill),
  after: searches(missing) && ['LINEAR_INTERPOLATION', 'NEXT_VALUE'].includes(missing.fill),
  current: missing.fill === 'CURRENT_VALUE',
})

/**
 * Value of a source at a time without one, from its neighbours in time; undefined where there are none
 * and the policy leaves such times out.
 */
export function fillValue(
  t: number,
  { before, after }: { before: Point | undefined; after: Point | undefined },
  missing: Missing,
  current: Point | undefined,
): Value | undefined {
  switch (missing.fill) {
    case 'USE_NULL':
      return null
    case 'USE_ZERO':
      return 0
    case 'CURRENT_VALUE':
      return current ? current.v : padded(missing)
    case 'NEXT_VALUE':
      return after ? after.v : padded(missing)
    case 'EXTEND_LAST_VALUE':
      return before ? before.v : padded(missing)
    case 'LINEAR_INTERPOLATION':
      return between(t, before, after) ?? padded(missing)
  }
}

const padded = ({ padding }: Missing) => {
  if (padding === 'SEARCH') return undefined
  return padding.endsWith('ZERO') ? 0 : null
}

/** On the line between two values; what is no number holds until the next. */
function between(
  t: number,
  before: Point | undefined,
  after: Point | undefined,
): Value | undefined {
  if (!before) return undefined
  const [low, high] = [numberOf(before.v), after && numberOf(after.v)]
  if (low === undefined) return before.v
  if (!after || high === undefined) return undefined
  return low + ((high - low) * (t - before.t)) / (after.t - before.t)
}

/**
 * One value for each of the times, out of points in order of time. A point without a value counts
 * as missing; undefined is what the policy leaves out.
 */
export function fillAt(
  times: readonly number[],
  points: readonly Point[],
  missing: Missing,
  edges: Edges,
): (Value | undefined)[] {
  const known = points.filter(({ v }) => v !== null)
  let next = 0
  let { before } = edges
  return times.map((t) => {
    const here = known[next]
    if (here?.t === t) {
      next += 1
      before = here
      return here.v
    }
    return fillValue(t, { before, after: here ?? edges.after }, missing, edges.current)
  })
}
