import type { ChartSeries } from '@longreach/ui/chart-data'
import { shownSeries } from '@longreach/ui/shown-unit'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useMemo } from 'react'
import type { Figure, History } from '../../parts/history/history.ts'
import { useLook } from '../../parts/look/look.ts'
import type { Resolution } from '../../parts/history/resolution.ts'
import { compared } from './explore-compare.ts'

type Lines = {
  /** As the devices give them. */
  measured: readonly ChartSeries[]
  computed: readonly ChartSeries[]
  resolution: Resolution
  /** Figure that a point shows of its bucket. */
  figure: Figure
}
/** History that the lines are compared with, and its window; no comparison without an earlier window. */
type Compared = { history: History; window: TimeWindow; earlier: TimeWindow | undefined }

/**
 * The lines, and what they are compared with, in the units that the person reads; formulas keep the
 * unit that their author gave them, as nobody knows whether they are a temperature or a difference.
 */
export function useShownLines(
  { measured, computed, resolution, figure }: Lines,
  { history, window, earlier }: Compared,
) {
  const { temperature } = useLook()
  const shift = earlier && window.from - earlier.from
  return useMemo(() => {
    const shown = (lines: readonly ChartSeries[]) => {
      const isStored = resolution === 'raw'
      if (!isStored && (figure === 'sum' || figure === 'count')) return lines
      const measure = !isStored && figure === 'delta' ? 'difference' : 'value'
      return lines.map((one) => shownSeries(one, temperature, measure))
    }
    const before = (lines: readonly ChartSeries[]) =>
      shift === undefined ? [] : compared(lines, history, shift)
    return {
      series: [...shown(measured), ...computed],
      before: [...shown(before(measured)), ...before(computed)],
    }
  }, [measured, computed, resolution, figure, temperature, history, shift])
}
