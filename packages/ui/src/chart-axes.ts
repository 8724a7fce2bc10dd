import type uPlot from 'uplot'
import type { ChartSeries } from './chart-data.ts'
import type { ChartSetting } from './chart-setting.ts'
import { readableNumber } from './number-format.ts'

const dayMs = 86_400_000
const font = '11px Inter Variable, system-ui, sans-serif'

/** Is the series measured on the right axis? */
export const isRight = ({ axis }: ChartSeries) => axis === 'right'
const onAxis = (series: readonly ChartSeries[], right: boolean) =>
  series.filter((one) => isRight(one) === right && !one.hidden)

/** From the lowest to the highest value with some air; bars stand on zero. */
export function valueRange(now: () => ChartSetting, right: boolean): uPlot.Scale.Range {
  return (_, min, max) => {
    const states = statesOf(now().series, right)
    if (states) return [-0.25, states.length - 0.75]
    if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max))
      return [0, 1]
    if (onAxis(now().series, right).some(({ kind }) => kind === 'bar')) return fromZero(min, max)
    const pad = min === max ? Math.max(Math.abs(min) * 0.05, 0.5) : (max - min) * 0.08
    return [min - pad, max + pad]
  }
}

function fromZero(min: number, max: number): [number, number] {
  const [low, high] = [Math.min(0, min), Math.max(0, max)]
  const pad = (high - low || 1) * 0.08
  return [low === 0 ? 0 : low - pad, high === 0 ? 0 : high + pad]
}

/** The words of an axis on which every shown series has the same kind of words. */
function statesOf(series: readonly ChartSeries[], right: boolean) {
  const shown = onAxis(series, right)
  const longest = shown.toSorted((a, b) => (b.states?.length ?? 0) - (a.states?.length ?? 0))[0]
  return shown.length > 0 && shown.every(({ states }) => states) ? longest?.states : undefined
}

/** The axis of values on a side, in the person's writing. */
export function valueAxis(now: () => ChartSetting, right: boolean): uPlot.Axis {
  const line = () => now().colorOf('var(--chart-grid)')
  return {
    scale: right ? 'y2' : 'y',
    side: right ? 1 : 3,
    font,
    stroke: () => now().colorOf('var(--chart-text)'),
    grid: { show: !right, stroke: line, width: 1 },
    ticks: { show: false },
    gap: 6,
    space: 32,
    size: (plot, texts) => {
      const { axisWidth = 36 } = now()
      if (!texts || texts.length === 0) return Math.max(40, axisWidth)
      plot.ctx.font = font
      // The context draws in device pixels; the axis is measured in those of the page.
      const widest = Math.max(...texts.map((text) => plot.ctx.measureText(text).width))
      return Math.max(axisWidth, Math.ceil(widest) + 14)
    },
    splits: (...[, , min, max, step]) => {
      const states = statesOf(now().series, right)
      if (states) return states.map((_state, index) => index)
      return multiples(min, max, step)
    },
    values: (...[, splits, , , step]) => {
      const states = statesOf(now().series, right)
      if (states) return splits.map((value) => states[value] ?? '')
      const digits = decimalsOf(step)
      return splits.map((value) => readableNumber(value, now().locale, digits))
    },
  }
}

/** Digits after the point that a step needs: 2.5 needs one. */
function decimalsOf(step: number) {
  for (let digits = 0; digits < 9; digits++) {
    const scaled = step * 10 ** digits
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits
  }
  return 9
}

function multiples(min: number, max: number, step: number) {
  const first = Math.ceil(min / step)
  const last = Math.floor(max / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/** The axis of times in the clock of the zone, with a name below it. */
export function timeAxis(now: () => ChartSetting, name: string | undefined): uPlot.Axis {
  return {
    ...(name !== undefined && { label: name, labelSize: 16, labelGap: 0, labelFont: font }),
    font,
    stroke: () => now().colorOf('var(--chart-text)'),
    grid: { stroke: () => now().colorOf('var(--chart-grid)'), width: 1 },
    ticks: { show: false },
    gap: 6,
    space: 84,
    size: 40,
    values: (...[, splits, , , step]) => timeTexts(splits, step, now()),
  }
}

function clockOptions(stepMs: number): Intl.DateTimeFormatOptions {
  if (stepMs >= 1000) return { timeStyle: stepMs < 60_000 ? 'medium' : 'short' }
  return { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 }
}

/** Texts of the time axis: the clock, with the day below where it is another than before. */
export function timeTexts(
  splits: readonly number[],
  stepMs: number,
  { locale, zone }: Pick<ChartSetting, 'locale' | 'zone'>,
) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
  const day = format({
    day: 'numeric',
    month: 'short',
    ...(stepMs >= 180 * dayMs && { year: 'numeric' }),
  })
  if (stepMs >= dayMs) return splits.map((at) => day.format(at))
  const clock = format(clockOptions(stepMs))
  let before = ''
  return splits.map((at) => {
    const date = day.format(at)
    const text = date === before ? clock.format(at) : `${clock.format(at)}\n${date}`
    before = date
    return text
  })
}
