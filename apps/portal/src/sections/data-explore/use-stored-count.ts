import type { TimeWindow } from '@longreach/ui/time-range'
import { useQuery } from '@tanstack/react-query'
import { fetchFigure, type Source, sourceKey } from '../../parts/history/history.ts'
import { useReach } from '../../parts/session/reach.ts'

/** Number of values stored in the window, of all sources together; undefined while unknown. */
export function useStoredCount(sources: readonly Source[], window: TimeWindow, enabled: boolean) {
  const org = useReach()
  // A window that follows the clock need not be counted anew at every second.
  const length = window.to - window.from
  const step = Math.max(1000, length / 20)
  const from = Math.floor(window.from / step) * step
  const asked = { from, to: from + length + step }
  const { data } = useQuery({
    queryKey: ['stored-count', org, sources.map(sourceKey), asked],
    queryFn: async ({ signal }) => {
      const counts = await fetchFigure(org, sources, { window: asked, figure: 'count' }, signal)
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    enabled: enabled && sources.length > 0,
    staleTime: 60_000,
  })
  return enabled ? data : undefined
}
