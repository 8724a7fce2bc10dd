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
  /** Words for the values 0, 1, …: a switch is `['Off', 'On']`. */
  states?: readonly string[]
  hidden?: boolean
}

export type Facts = {
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
 * `undefined` (the line goes on), where it has a gap `null` (the line breaks).
 */
export function alignColumns(series: readonly { times: ArrayLike<number>; columns: Column[] }[]) {
  const times = mergedTimes(series.map((one) => one.times))
  const columns = series.flatMap((one) => {
    const at: (number | undefined)[] = Array.from({ length: times.length })
    let next = 0
    for (let index = 0; index < times.length && next < one.times.length; index++)
      if (times[index] === one.times[next]) at[index] = next++
    return one.columns.map((column) =>
      at.map((source) => (source === undefined ? undefined : (column[source] ?? null))),
    )
  })
  return { times, columns }
}

function mergedTimes(lists: ArrayLike<number>[]) {
  const [first] = lists
  if (first && lists.every((one) => one === first)) return Array.from(first)
  const all = new Set<number>()
  for (const list of lists)
    for (let index = 0; index < list.length; index++) all.add(list[index] ?? 0)
  return [...all].toSorted((a, b) => a - b)
}

/** Facts of what a series shows in the window; undefined when it shows nothing. */
export function factsOf(
  { times, values, low, high }: Pick<ChartSeries, 'times' | 'values' | 'low' | 'high'>,
  { from, to }: { from: number; to: number },
): Facts | undefined {
  const shown = indexesIn({ times, values }, from, to)
  const [first] = shown
  if (first === undefined) return undefined
  const start = values[first] ?? 0
  const facts = { count: shown.length, min: start, max: start, mean: 0, last: start, lastAt: from }
  let sum = 0
  for (const index of shown) {
    const value = values[index] ?? 0
    sum += value
    facts.min = Math.min(facts.min, low?.[index] ?? value)
    facts.max = Math.max(facts.max, high?.[index] ?? value)
    facts.last = value
    facts.lastAt = times[index] ?? from
  }
  return { ...facts, mean: sum / shown.length }
}

function indexesIn(
  { times, values }: Pick<ChartSeries, 'times' | 'values'>,
  from: number,
  to: number,
) {
  const indexes: number[] = []
  for (let index = Math.max(0, indexAt(times, from - 1)); index < times.length; index++) {
    const [at, value] = [times[index] ?? 0, values[index]]
    if (at > to) break
    if (at >= from && value !== null && value !== undefined) indexes.push(index)
  }
  return indexes
}

/**
 * The value that a series shows at `at`: that of the newest point not later, or of the next one
 * when it is nearer and the series is no step; undefined in a gap and outside.
 */
export function valueAt({ times, values, step }: ChartSeries, at: number) {
  const before = indexAt(times, at)
  if (before < 0) return undefined
  const after = before + 1
  const nearer =
    !step && after < times.length && (times[after] ?? 0) - at < at - (times[before] ?? 0)
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
  }
}

/** A line with columns that can be cut. */
export type LineColumns = {
  times: number[]
  values: (number | null)[]
  low?: (number | null)[]
  high?: (number | null)[]
}
