/** One line of a chart. Times in ms since 1970, ascending; null is a gap. */
export type ChartSeries = {
  id: string
  name: string
  /** Any CSS colour, variables included. */
  color: string
  times: ArrayLike<number>
  values: ArrayLike<number | null>
  /** Lowest and highest value of each bucket, drawn as a band behind the line. */
  low?: ArrayLike<number | null>
  high?: ArrayLike<number | null>
  unit?: string
  axis?: 'left' | 'right'
  /** The value holds until the next one: booleans and states. */
  step?: boolean
  /** Form of the series; a line when absent, a step where `step` says so. */
  kind?: SeriesKind
  /** The series is only for comparison, such as an earlier period. */
  dashed?: boolean
  /** Words for the values 0, 1, …: a switch is `['Off', 'On']`. */
  states?: readonly string[]
  hidden?: boolean
  /** Value that held when the window began. */
  held?: Held
  /** Until when the last value is known to hold. */
  until?: number
  /** Quality of each value: 0 good, 1 uncertain, 2 bad; all are good when absent. */
  grades?: ArrayLike<number>
  /** Number of all that is counted, which the caption has in place of the newest value. */
  total?: number
}

/**
 * A value that came before the window and still held in it: drawn from `from` to `to`, and never
 * counted. `joins`: it held until the line's first value.
 */
export type Held = { value: number; at: number; from: number; to: number; joins: boolean }

export type SeriesKind = 'line' | 'area' | 'bar' | 'step'

type Facts = {
  count: number
  min: number
  max: number
  mean: number
  last: number
  lastAt: number
}

type Column = ArrayLike<number | null | undefined>

/**
 * One time axis for several series. Where a series has no value at another's time it holds
 * `undefined` (the line goes on), where it has a gap `null` (the line breaks). Series that share
 * their times are taken as they are: a million points are not copied.
 */
export function alignColumns(series: readonly { times: ArrayLike<number>; columns: Column[] }[]): {
  times: ArrayLike<number>
  columns: Column[]
} {
  const [first] = series
  if (first && series.every((one) => one.times === first.times))
    return { times: first.times, columns: series.flatMap((one) => one.columns) }
  const times = mergedTimes(series.map((one) => one.times))
  return { times, columns: series.flatMap((one) => spread(one, times)) }
}

function spread(
  { times: own, columns }: { times: ArrayLike<number>; columns: Column[] },
  times: readonly number[],
) {
  const spreads = columns.map(() => Array.from<number | null | undefined>({ length: times.length }))
  for (let index = 0, next = 0; index < times.length && next < own.length; index++) {
    const isOwn = times[index] === own[next]
    for (const [column, values] of columns.entries()) {
      const target = spreads[column]
      if (target) target[index] = isOwn ? (values[next] ?? null) : between(values, next)
    }
    if (isOwn) next += 1
  }
  return spreads
}

/** At a time of others a line goes on, but beside a gap it has one too. */
function between(values: Column, next: number) {
  const [before, after] = [values[next - 1] ?? null, values[next] ?? null]
  return next > 0 && (before === null || after === null) ? null : undefined
}

/** All times once, ascending: neighbours are merged two by two, as each list is sorted already. */
function mergedTimes(lists: readonly ArrayLike<number>[]): number[] {
  const [first, second] = lists
  if (first === undefined) return []
  if (second === undefined) return Array.from(first)
  if (lists.length === 2) return merged(first, second)
  const half = lists.length >> 1
  return merged(mergedTimes(lists.slice(0, half)), mergedTimes(lists.slice(half)))
}

function merged(a: ArrayLike<number>, b: ArrayLike<number>) {
  const all: number[] = []
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const [one, other] = [a[left] ?? Infinity, b[right] ?? Infinity]
    all.push(Math.min(one, other))
    if (one <= other) left += 1
    if (other <= one) right += 1
  }
  return all
}

type Shown = Pick<ChartSeries, 'times' | 'values' | 'low' | 'high'>
type Span = { from: number; to: number }
/** The facts that were asked for last of each line: several parts of a page ask for the same. */
const known = new WeakMap<
  object,
  { times: object; from: number; to: number; facts: Facts | undefined }
>()

/** Facts of what a series shows in the window; undefined when it shows nothing. */
export function factsOf(series: Shown, { from, to }: Span): Facts | undefined {
  const { times, values } = series
  const before = known.get(values)
  if (before && before.times === times && before.from === from && before.to === to)
    return before.facts
  const facts = factsIn(series, { from, to })
  known.set(values, { times, from, to, facts })
  return facts
}

/** True when a line has nothing to draw; a value newer than a window that ends now counts. */
export function isBlank(series: Shown & Pick<ChartSeries, 'held'>, window: Span) {
  if (series.held || factsOf(series, window)) return false
  const { times, values } = series
  const edge = window.to + (window.to - window.from) / 100
  for (let index = times.length - 1; index >= 0; index--) {
    const at = times[index] ?? 0
    if (at <= window.to) return true
    if (at <= edge && typeof values[index] === 'number') return false
  }
  return true
}

function factsIn({ times, values, low, high }: Shown, { from, to }: Span): Facts | undefined {
  const facts = { count: 0, min: Infinity, max: -Infinity, mean: 0, last: 0, lastAt: from }
  let sum = 0
  for (let index = Math.max(0, indexAt(times, from - 1)); index < times.length; index++) {
    const [at, value] = [times[index] ?? 0, values[index]]
    if (at > to) break
    if (at < from || value === null || value === undefined) continue
    facts.count += 1
    sum += value
    facts.min = Math.min(facts.min, low?.[index] ?? value)
    facts.max = Math.max(facts.max, high?.[index] ?? value)
    facts.last = value
    facts.lastAt = at
  }
  return facts.count === 0 ? undefined : { ...facts, mean: sum / facts.count }
}

/**
 * The value that a series shows at `at`: that of the newest point not later, or of the next one
 * when it is nearer and the series is no step; undefined in a gap and outside.
 */
export function valueAt({ times, values, step, kind, held }: ChartSeries, at: number) {
  const before = indexAt(times, at)
  if (before < 0) return held && at >= held.from && at <= held.to ? held.value : undefined
  const after = before + 1
  const nearer =
    !step &&
    kind !== 'step' &&
    after < times.length &&
    (times[after] ?? 0) - at < at - (times[before] ?? 0)
  return values[nearer ? after : before] ?? undefined
}

/** Index of the newest time not later than `at`; -1 when all are later. */
export function indexAt(times: ArrayLike<number>, at: number) {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A line with a null between two neighbours that `apart` says belong apart. */
export function withGaps<T extends LineColumns>(
  line: T,
  apart: (earlier: number, later: number) => boolean,
): T {
  const cuts = new Set(
    line.times.flatMap((at, index) => {
      const before = line.times[index - 1]
      return before !== undefined && apart(before, at) ? [index] : []
    }),
  )
  if (cuts.size === 0) return line
  const insert = <V>(list: V[], made: (index: number) => V) =>
    list.flatMap((value, index) => (cuts.has(index) ? [made(index), value] : [value]))
  return {
    ...line,
    times: insert(line.times, (index) => (line.times[index - 1] ?? 0) + 1),
    values: insert<number | null>(line.values, () => null),
    ...(line.low && { low: insert<number | null>(line.low, () => null) }),
    ...(line.high && { high: insert<number | null>(line.high, () => null) }),
    ...(line.grades && { grades: insert(line.grades, () => 0) }),
  }
}

/** A line with columns that can be cut. */
export type LineColumns = {
  times: number[]
  values: (number | null)[]
  low?: (number | null)[]
  high?: (number | null)[]
  grades?: number[]
}
