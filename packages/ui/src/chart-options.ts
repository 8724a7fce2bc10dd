import uPlot from 'uplot'
import type { ChartSeries } from './chart-data.ts'
import { readableNumber } from './number-format.ts'
import { clockChanges, type TimeWindow } from './time-range.ts'

/** What the drawing asks for at every frame, so that it need not be made anew when it changes. */
export type ChartSetting = {
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  locale: string
  /** A CSS colour as the canvas understands it, in the colour scheme of now. */
  colorOf: (css: string) => string
  /** `Offline`-like spans drawn behind the lines. */
  shades: readonly TimeWindow[]
}

export type ChartActions = {
  cursor: (at: number | undefined) => void
  zoom: (window: TimeWindow) => void
  zoomOut: () => void
}

const dayMs = 86_400_000
const font = '11px Inter Variable, system-ui, sans-serif'

/**
 * Options of a uPlot chart over `now()`: a line for each series, two hidden lines for its band,
 * one or two value axes, a time axis in the zone's clock.
 */
export function chartOptions(
  now: () => ChartSetting,
  actions: ChartActions,
  size: { width: number; height: number },
): uPlot.Options {
  const { series } = now()
  const lines: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  for (const one of series) {
    const scale = scaleOf(one)
    const color = () => now().colorOf(one.color)
    const show = one.hidden !== true
    lines.push({ scale, show, stroke: color, width: 1.75, points: { size: 5 }, ...pathOf(one) })
    if (!one.low || !one.high) continue
    bands.push({
      series: [lines.length, lines.length + 1],
      fill: () => now().colorOf(`color-mix(in srgb, ${one.color} 16%, transparent)`),
    })
    const edge = { scale, show, width: 0, stroke: 'transparent', points: { show: false } }
    lines.push(edge, edge)
  }
  return {
    ...size,
    ms: 1,
    series: lines,
    bands,
    legend: { show: false },
    padding: [8, series.some(isRight) ? 0 : 12, 0, 0],
    scales: {
      x: { range: () => [now().window.from, now().window.to] },
      y: { range: valueRange(now, false) },
      y2: { range: valueRange(now, true) },
    },
    axes: [
      timeAxis(now),
      valueAxis(now, false),
      ...(series.some(isRight) ? [valueAxis(now, true)] : []),
    ],
    cursor: {
      y: false,
      points: { size: 8, width: 2 },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      bind: {
        dblclick: () => () => {
          actions.zoomOut()
          return null
        },
      },
    },
    hooks: {
      setCursor: [
        (plot) => {
          const { left } = plot.cursor
          const inside = left !== undefined && left >= 0
          actions.cursor(inside ? plot.posToVal(left, 'x') : undefined)
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width < 6) return
          const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          actions.zoom({ from: Math.round(from), to: Math.round(to) })
        },
      ],
      drawClear: [(plot) => drawBehind(plot, now())],
    },
  }
}

const isRight = ({ axis }: ChartSeries) => axis === 'right'
const scaleOf = (one: ChartSeries) => (isRight(one) ? 'y2' : 'y')
const onAxis = (series: readonly ChartSeries[], right: boolean) =>
  series.filter((one) => isRight(one) === right && !one.hidden)

const steps = uPlot.paths.stepped?.({ align: 1 })
const pathOf = ({ step }: ChartSeries) => (step && steps ? { paths: steps } : {})

function valueRange(now: () => ChartSetting, right: boolean): uPlot.Scale.Range {
  return (_, min, max) => {
    const states = statesOf(now().series, right)
    if (states) return [-0.25, states.length - 0.75]
    if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max))
      return [0, 1]
    const pad = min === max ? Math.max(Math.abs(min) * 0.05, 0.5) : (max - min) * 0.08
    return [min - pad, max + pad]
  }
}

/** The words of an axis on which every shown series has the same kind of words. */
function statesOf(series: readonly ChartSeries[], right: boolean) {
  const shown = onAxis(series, right)
  const longest = shown.toSorted((a, b) => (b.states?.length ?? 0) - (a.states?.length ?? 0))[0]
  return shown.length > 0 && shown.every(({ states }) => states) ? longest?.states : undefined
}

function valueAxis(now: () => ChartSetting, right: boolean): uPlot.Axis {
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
      if (!texts || texts.length === 0) return 40
      plot.ctx.font = font
      const widest = Math.max(...texts.map((text) => plot.ctx.measureText(text).width))
      return Math.max(36, Math.ceil(widest) + 14)
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
export function decimalsOf(step: number) {
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

function timeAxis(now: () => ChartSetting): uPlot.Axis {
  return {
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
  const clock = format({
    hour: '2-digit',
    minute: '2-digit',
    ...(stepMs < 60_000 && { second: '2-digit' }),
    ...(stepMs < 1000 && { fractionalSecondDigits: 3 }),
  })
  let before = ''
  return splits.map((at) => {
    const date = day.format(at)
    const text = date === before ? clock.format(at) : `${clock.format(at)}\n${date}`
    before = date
    return text
  })
}

function drawBehind(plot: uPlot, { shades, window, zone, colorOf }: ChartSetting) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = colorOf('var(--chart-shade)')
  for (const { from, to } of shades) {
    const [left, right] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)]
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  if (window.to - window.from < 400 * dayMs) {
    ctx.strokeStyle = colorOf('var(--chart-text)')
    ctx.setLineDash([2, 4])
    for (const { at } of clockChanges(window, zone)) {
      const left = Math.round(plot.valToPos(at, 'x', true)) + 0.5
      ctx.beginPath()
      ctx.moveTo(left, bbox.top)
      ctx.lineTo(left, bbox.top + bbox.height)
      ctx.stroke()
    }
  }
  ctx.restore()
}
