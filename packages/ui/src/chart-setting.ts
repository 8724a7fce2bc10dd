import type { ChartSeries } from './chart-data.ts'
import type { TimeWindow } from './time-range.ts'

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
  /** Charts of one key share their cross-hair. */
  syncKey?: string | undefined
  /** Least width of a value axis, so that charts under each other stand in line. */
  axisWidth?: number | undefined
  /** What stands below the axis of times: the zone of its clock. */
  axisName?: string | undefined
}
