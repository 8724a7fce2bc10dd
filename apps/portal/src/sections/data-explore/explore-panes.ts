import type { ChartSeries } from '@longreach/ui/chart-data'
import type { Split } from './explore-url.ts'

/** Lines that share a chart, and what stands above it. */
type Pane = { key: string; title: string | undefined; series: ChartSeries[] }

/** Texts and what has more than two states is a lane, not a line. */
export const isLane = ({ states }: ChartSeries) => states !== undefined && states.length !== 2

/** The charts that the lines are drawn in; earlier courses go with the line they belong to. */
export function panesOf(
  series: readonly ChartSeries[],
  before: readonly ChartSeries[],
  split: Split,
): Pane[] {
  const lines = series.filter((one) => !isLane(one))
  const groups = Map.groupBy(lines, (one) => keyOf(one, split))
  return [...groups].map(([key, own]) => {
    const ids = new Set(own.map(({ id }) => `${id} earlier`))
    return {
      key,
      title: titleOf(own, split),
      series: switchesAside([...own, ...before.filter(({ id }) => ids.has(id))]),
    }
  })
}

/** On one axis with numbers a switch would lie flat on zero: it goes to the right where no number is. */
export function switchesAside(series: ChartSeries[]): ChartSeries[] {
  const shown = series.filter(({ hidden }) => !hidden)
  const numbers = shown.filter(({ states }) => states === undefined)
  const isRight = ({ axis }: ChartSeries) => axis === 'right'
  if (numbers.length === 0 || numbers.some(isRight)) return series
  return series.map((one) => (one.states ? { ...one, axis: 'right' } : one))
}

function keyOf({ id, unit, states }: ChartSeries, split: Split) {
  if (split === 'none') return ''
  if (split === 'series') return id
  return states ? 'states' : (unit ?? '')
}

/** Units stand above their axis already. */
const titleOf = ([first]: readonly ChartSeries[], split: Split) =>
  split === 'series' ? first?.name : undefined
