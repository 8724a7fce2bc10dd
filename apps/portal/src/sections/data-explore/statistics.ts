import type { ChartSeries } from '@longreach/ui/chart-data'
import type { TimeWindow } from '@longreach/ui/time-range'

/** Figures of a line over a window. Lengths of time in ms; spreads only where values are numbers. */
export type Statistics = {
  count: number
  min: number
  max: number
  mean: number
  /** Each value counts as long as it held. */
  weighted: number
  deviation: number
  p5: number
  p50: number
  p95: number
  first: number
  firstAt: number
  last: number
  lastAt: number
  delta: number
  gaps: number
  gapMs: number
}

type Points = Pick<ChartSeries, 'times' | 'values'>

/** Figures of the points of a line that lie in the window; undefined without any. */
export function statisticsOf(line: Points, window: TimeWindow): Statistics | undefined {
  const { times, values, gaps, gapMs } = inWindow(line, window)
  const count = values.length
  if (count === 0) return undefined
  const sorted = Float64Array.from(values).toSorted()
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const first = values[0] ?? 0
  const last = values.at(-1) ?? 0
  return {
    count,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    mean,
    weighted: weightedMean(line, window) ?? mean,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
    p5: percentile(sorted, 0.05),
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    first,
    firstAt: times[0] ?? window.from,
    last,
    lastAt: times.at(-1) ?? window.from,
    delta: last - first,
    gaps,
    gapMs,
  }
}

function inWindow({ times: at, values: of }: Points, { from, to }: TimeWindow) {
  const times: number[] = []
  const values: number[] = []
  let [gaps, gapMs] = [0, 0]
  for (let index = 0; index < at.length; index++) {
    const time = at[index] ?? 0
    const value = of[index] ?? null
    if (time < from || time > to) continue
    if (value !== null) {
      times.push(time)
      values.push(value)
    } else if (index > 0 && of[index - 1] !== null) {
      gaps += 1
      gapMs += gapFrom({ times: at, values: of }, index, to)
    }
  }
  return { times, values, gaps, gapMs }
}

/** From the last value before the gap to the first after it. */
function gapFrom({ times, values }: Points, start: number, to: number) {
  let end = start
  while (end < times.length && values[end] === null) end += 1
  return Math.min(times[end] ?? to, to) - (times[start - 1] ?? to)
}

/** The mean in which a value weighs as long as it holds: until the next one or until a gap. */
export function weightedMean({ times, values }: Points, { from, to }: TimeWindow) {
  let [area, length] = [0, 0]
  for (let index = 0; index < times.length; index++) {
    const value = values[index] ?? null
    if (value === null) continue
    const start = Math.max(from, times[index] ?? from)
    const held = Math.min(to, times[index + 1] ?? to) - start
    if (held <= 0) continue
    area += value * held
    length += held
  }
  return length > 0 ? area / length : undefined
}

/** Between the two nearest ranks, as spreadsheets do it. `sorted` ascends. */
export function percentile(sorted: ArrayLike<number>, share: number) {
  const rank = (sorted.length - 1) * share
  const below = Math.floor(rank)
  const [low, high] = [sorted[below] ?? 0, sorted[Math.ceil(rank)] ?? 0]
  return low + (high - low) * (rank - below)
}
