import uPlot from 'uplot'
import { isRight, timeAxis, valueAxis, valueRange } from './chart-axes.ts'
import { drawBehind } from './chart-behind.ts'
import type { ChartSeries } from './chart-data.ts'
import { isDoubtful } from './chart-grades.ts'
import type { ChartSetting } from './chart-setting.ts'
import type { TimeWindow } from './time-range.ts'

/** Position and size of the plotting area in the chart's element, in px. */
export type ChartLayout = { left: number; top: number; width: number; height: number }

export type ChartActions = {
  cursor: (at: number | undefined) => void
  zoom: (window: TimeWindow) => void
  zoomOut: () => void
  /** A time was marked, by dragging with Shift held. */
  mark?: (window: TimeWindow) => void
  /** The plotting area has got another place or size. */
  layout?: (layout: ChartLayout) => void
}

/**
 * Options of a uPlot chart over `now()`: a line for each series, two hidden lines for its band,
 * one or two value axes, a time axis in the zone's clock.
 */
export function chartOptions(
  now: () => ChartSetting,
  actions: ChartActions,
  size: { width: number; height: number },
): uPlot.Options {
  const { series, syncKey, axisName } = now()
  const lines: uPlot.Series[] = [{}]
  const bands: uPlot.Band[] = []
  for (const one of series) {
    const scale = scaleOf(one)
    const color = () => now().colorOf(one.color)
    const show = one.hidden !== true
    const points = { size: 5, filter: lonePoints }
    const line = { scale, show, stroke: color, width: 1.75, points }
    const looks = { ...line, ...pathOf(one), ...fillOf(one, now), ...dashOf(one) }
    lines.push(looks)
    if (one.low && one.high) {
      bands.push({
        series: [lines.length, lines.length + 1],
        fill: () => now().colorOf(`color-mix(in srgb, ${one.color} 16%, transparent)`),
      })
      const edge = { scale, show, width: 0, stroke: 'transparent', points: { show: false } }
      lines.push(edge, edge)
    }
    if (isDoubtful(one)) lines.push({ ...looks, ...dotted })
  }
  return {
    ...size,
    ms: 1,
    series: lines,
    bands,
    legend: { show: false },
    // Half of the last time on the axis stands beyond the end of the lines.
    padding: [8, series.some(isRight) ? 0 : 30, 0, 0],
    scales: {
      x: { range: () => [now().window.from, now().window.to] },
      y: { range: valueRange(now, false) },
      y2: { range: valueRange(now, true) },
    },
    axes: [
      timeAxis(now, axisName),
      valueAxis(now, false),
      ...(series.some(isRight) ? [valueAxis(now, true)] : []),
    ],
    cursor: {
      y: false,
      points: { size: 8, width: 2 },
      drag: { x: true, y: false, setScale: false, dist: 6 },
      ...(syncKey !== undefined && { sync: syncOf(syncKey) }),
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
          const span = { from: Math.round(from), to: Math.round(to) }
          if (plot.cursor.event?.shiftKey && actions.mark) actions.mark(span)
          else actions.zoom(span)
        },
      ],
      drawClear: [(plot) => drawBehind(plot, now())],
      draw: [(plot) => actions.layout?.(layoutOf(plot))],
    },
  }
}

/** Points that no line reaches; they are drawn also where the points are too dense to draw all. */
const lonePoints: uPlot.Series.Points.Filter = (plot, seriesIndex, shown) => {
  const values = plot.data[seriesIndex] ?? []
  if (shown || values.length > mostLooked) return null
  const lone: number[] = []
  let [run, last] = [0, -1]
  for (let index = 0; index <= values.length; index++) {
    const value = values[index]
    if (value === undefined && index < values.length) continue
    if (value === null || value === undefined) {
      if (run === 1) lone.push(last)
      run = 0
    } else {
      run += 1
      last = index
    }
  }
  return lone.length > 0 ? lone : null
}
/** Among more points nobody misses one. */
const mostLooked = 20_000

/** The cross-hair alone is shared: dragging chooses a time in one chart. */
const syncOf = (key: string): uPlot.Cursor.Sync => ({
  key,
  setSeries: false,
  scales: ['x', null],
  filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
})

const layoutOf = ({ bbox, pxRatio }: uPlot & { pxRatio?: number }): ChartLayout => {
  const ratio = pxRatio ?? devicePixelRatio
  return {
    left: bbox.left / ratio,
    top: bbox.top / ratio,
    width: bbox.width / ratio,
    height: bbox.height / ratio,
  }
}

const scaleOf = (one: ChartSeries) => (isRight(one) ? 'y2' : 'y')

const steps = uPlot.paths.stepped?.({ align: 1 })
const bars = uPlot.paths.bars?.({ size: [0.7, 48], align: 1 })
function pathOf({ step, kind }: ChartSeries): Partial<uPlot.Series> {
  if (kind === 'bar' && bars) return { paths: bars, points: { show: false } }
  return (step || kind === 'step') && steps ? { paths: steps } : {}
}

function fillOf({ kind, color }: ChartSeries, now: () => ChartSetting): Partial<uPlot.Series> {
  if (kind !== 'area' && kind !== 'bar') return {}
  const share = kind === 'bar' ? 70 : 20
  return { fill: () => now().colorOf(`color-mix(in srgb, ${color} ${share}%, transparent)`) }
}

const dotted: Partial<uPlot.Series> = {
  dash: [1, 5],
  cap: 'round',
  width: 2.25,
  points: { show: false },
}

const dashOf = ({ dashed }: ChartSeries): Partial<uPlot.Series> =>
  dashed ? { dash: [5, 4], width: 1.25, alpha: 0.85, points: { show: false } } : {}
