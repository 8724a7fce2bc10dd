import type { Bucket, Point, Value } from '@longreach/telemetry/store'
import type { Figure, FigureName } from '@longreach/formula/figures'
import type { Steps } from '@longreach/calendar/steps'
import { stepFinder } from './query-steps.ts'

/** A value as a number for figures; undefined for one that is none. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value
  return typeof value === 'boolean' ? Number(value) : undefined
}

/** Figures that the store's buckets give without looking at single values. */
export const inBuckets = ({ name }: Figure) =>
  name !== 'timeWeightedAverage' && name !== 'percentile'

/** The figure of each bucket, at its beginning; `before` is the last number before the first bucket. */
export function figuresOfBuckets(
  buckets: readonly Bucket[],
  { name }: Figure,
  before?: number,
): Point[] {
  let last = before
  return buckets.map((bucket) => {
    const v = name === 'delta' ? deltaOf(bucket, last) : figureOfBucket(bucket, name)
    last = bucket.last ?? last
    return { t: bucket.start, v, q: 0 }
  })
}

const deltaOf = ({ first, last }: Bucket, before: number | undefined) =>
  last === null ? null : last - (before ?? first ?? last)

function figureOfBucket(bucket: Bucket, name: FigureName): number | null {
  switch (name) {
    case 'min':
    case 'max':
    case 'sum':
    case 'count':
    case 'first':
    case 'last':
      return bucket[name]
    default:
      return bucket.avg
  }
}

/** `before`: the newest value before the range. `now`: until when a value is known to hold. */
export type Around = { before?: Point | undefined; now?: number }

/**
 * The figure of each step that has a value, at the step's beginning, out of points in order of
 * time. Only one step's values are held, and of those the running figure where that is enough.
 */
export async function* figuresOfPoints(
  pages: AsyncIterable<readonly Point[]>,
  steps: Steps,
  figure: Figure,
  around: Around = {},
): AsyncIterable<Point[]> {
  const find = stepFinder(steps)
  const collector = collectorOf(figure, steps, around)
  let open = -1
  for await (const page of pages) {
    const done: Point[] = []
    for (const point of page) {
      const index = find(point.t)
      if (index !== open) {
        done.push(...collector.upTo(open, index))
        open = index
      }
      collector.add(point)
    }
    if (done.length > 0) yield done
  }
  const rest = [...collector.upTo(open, steps.starts.length)]
  if (rest.length > 0) yield rest
}

/** More than this in one step, and its percentile would need too much memory. */
const mostInStep = 1_000_000
export class StepTooLarge extends Error {}

export type Collector = {
  add(point: Point): void
  /** Close the step `from` and go to step `to`. */
  upTo(from: number, to: number): Iterable<Point>
}

/** Collects the values of steps one after the other. */
export function collectorOf(figure: Figure, steps: Steps, around: Around): Collector {
  return figure.name === 'timeWeightedAverage'
    ? weighted(steps, around)
    : plainly(figure, steps, around)
}

function plainly(figure: Figure, { starts }: Steps, { before }: Around): Collector {
  let sum = emptySum()
  let last = before && numberOf(before.v)
  return {
    add({ v }) {
      addTo(sum, v, figure.name === 'percentile')
    },
    *upTo(from) {
      if (from < 0) return
      if (sum.count > 0) yield { t: starts[from] ?? 0, v: figureOfSum(sum, figure, last), q: 0 }
      if (sum.numbers > 0) last = sum.lastNumber
      sum = emptySum()
    },
  }
}

const emptySum = () => ({
  count: 0,
  numbers: 0,
  sum: 0,
  min: Infinity,
  max: -Infinity,
  firstNumber: 0,
  lastNumber: 0,
  first: null as Value,
  last: null as Value,
  all: [] as number[],
})
type Sum = ReturnType<typeof emptySum>

function addTo(sum: Sum, v: Value, keep: boolean) {
  if (sum.count === 0) sum.first = v
  sum.count += 1
  sum.last = v
  const number = numberOf(v)
  if (number === undefined) return
  if (sum.numbers === 0) sum.firstNumber = number
  sum.numbers += 1
  sum.sum += number
  sum.lastNumber = number
  if (number < sum.min) sum.min = number
  if (number > sum.max) sum.max = number
  if (!keep) return
  if (sum.all.length >= mostInStep) throw new StepTooLarge()
  sum.all.push(number)
}

function figureOfSum(sum: Sum, figure: Figure, before: number | undefined): Value {
  const { name } = figure
  if (name === 'count') return sum.count
  if (sum.numbers === 0) return name === 'first' || name === 'last' ? sum[name] : null
  const { min, max, firstNumber: first, lastNumber: last } = sum
  if (name === 'delta') return last - (before ?? first)
  if (name === 'percentile') return percentileOf(sum.all, figure.param ?? 50)
  const simple = { min, max, first, last, sum: sum.sum, average: sum.sum / sum.numbers }
  return name === 'timeWeightedAverage' ? simple.average : simple[name]
}

/** Between two ranks the line between their values is taken. */
function percentileOf(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).toSorted()
  const rank = (percent / 100) * (sorted.length - 1)
  const low = sorted[Math.floor(rank)] ?? 0
  const high = sorted[Math.ceil(rank)] ?? low
  return low + (high - low) * (rank - Math.floor(rank))
}

/** Each value counts for as long as it held: from its time to the next one's, through empty steps too. */
function weighted({ starts, to }: Steps, { before, now = Infinity }: Around): Collector {
  let held = before && numberOf(before.v)
  let since = starts[0] ?? 0
  let area = 0
  let length = 0
  const holdUntil = (t: number) => {
    if (held !== undefined && t > since) {
      area += held * (t - since)
      length += t - since
    }
    since = Math.max(since, t)
  }
  return {
    add({ t, v }) {
      holdUntil(t)
      const number = numberOf(v)
      if (number !== undefined) held = number
    },
    *upTo(from, next) {
      for (let index = Math.max(0, from); index < next; index += 1) {
        const start = starts[index] ?? 0
        holdUntil(Math.max(start, Math.min(starts[index + 1] ?? to, now)))
        // A value at the very end of the known time lasted for no time: it is its own average.
        if (length > 0) yield { t: start, v: area / length, q: 0 }
        else if (held !== undefined && index === from) yield { t: start, v: held, q: 0 }
        area = 0
        length = 0
      }
    },
  }
}
