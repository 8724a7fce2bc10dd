import type { ChartSeries } from './chart-data.ts'
import type { TimeWindow } from './time-range.ts'

/** Facts that the drawing reads at every frame, so that a change of them needs no new uPlot. */
export type ChartSetting = {
  series: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  locale: string
  /** A CSS colour as the canvas understands it, in the colour scheme of now. */
  colorOf: (css: string) => string
  /** `Offline`-like spans drawn behind the lines. */
  shades: readonly TimeWindow[]
  /** Charts of one key share their cross-hair. */
  syncKey?: string | undefined
  /** Least width of a value axis, so that charts under each other stand in line. */
  axisWidth?: number | undefined
  /** Text below the time axis: the name of its time zone. */
  axisName?: string | undefined
}
