import type { ChartSeries } from '@longreach/ui/chart-data'
import { shownSeries } from '@longreach/ui/shown-unit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { broken, fetchHistory, sourceKey } from '../../parts/history/history.ts'
import { useLook } from '../../parts/look/look.ts'
import { useReach } from '../../parts/session/reach.ts'
import type { ExploreState } from './explore-url.ts'
import { type Explored, storedBudget } from './use-explored.ts'
import { useFormulas, useFormulaSeries } from './use-formulas.ts'
import { useStoredCount } from './use-stored-count.ts'

/**
 * The lines that figures are made of: the stored values where they are few enough, else the points
 * of the chart. Asked only while the figures are looked at.
 */
export function useStatisticsLines(explored: Explored, { lines, formulas, zone }: ExploreState) {
  const { series, measured, sources, window, resolution, awayBy } = explored
  const { temperature } = useLook()
  const org = useReach()
  const raw = resolution === 'raw'
  const count = useStoredCount(sources, window, !raw)
  const few = !raw && count !== undefined && count <= storedBudget
  const step = Math.max(1000, (window.to - window.from) / 60)
  const asked = {
    from: Math.floor(window.from / step) * step,
    to: Math.ceil(window.to / step) * step,
  }
  const { data } = useQuery({
    queryKey: ['history', org, sources.map(sourceKey), asked, 'raw'],
    queryFn: ({ signal }) =>
      fetchHistory(org, sources, { window: asked, resolution: 'raw', zone }, signal),
    enabled: few,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const answers = useFormulas({
    formulas,
    lines,
    sources,
    zone,
    window: asked,
    resolution: 'raw',
    figure: 'average',
    following: false,
    enabled: few,
  })
  const stored = few ? data : undefined
  const computed = useFormulaSeries(answers, {
    resolution: 'raw',
    sources,
    window,
    awayBy,
    drawn: series,
  })
  return useMemo(() => {
    const all = series.map((one, index): ChartSeries => {
      const formula = computed.find(({ id }) => id === one.id)
      if (few && formula && formula.times.length > 0) return formula
      const source = sources[index]
      const line = stored?.get(one.id)
      const given = measured[index]
      if (!line || !source || !given) return one
      const { low: _low, high: _high, ...plain } = given
      const whole = broken(line, source, 'raw', awayBy.get(source.device) ?? [])
      return shownSeries({ ...plain, ...whole }, temperature)
    })
    return { series: all, exact: raw || stored !== undefined }
  }, [series, measured, sources, stored, computed, few, raw, awayBy, temperature])
}
