import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import type { ChartMark } from '@longreach/ui/ChartMarks'
import type { TimeWindow } from '@longreach/ui/time-range'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useActorName } from '../../parts/audit/actor-name.ts'
import { api } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'

export type Comment = Result<(typeof platformContract)['endpoints']['searchComments']>[number]

/** Comments about the devices in the window, also as marks for a chart. */
export function useComments(devices: readonly string[], window: TimeWindow) {
  const org = useReach()
  const nameOf = useActorName()
  // Asked in steps, so that a window that follows the clock does not ask at every second.
  const step = Math.max(10_000, (window.to - window.from) / 10)
  const since = Math.floor(window.from / step) * step
  const to = Math.ceil(window.to / step) * step
  const { data } = useQuery({
    queryKey: [api.platform.searchComments.key, org, devices, since, to],
    queryFn: ({ signal }) =>
      api.platform.searchComments(
        { params: { org }, body: { deviceIds: [...devices], since, to } },
        { signal },
      ),
    enabled: devices.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  return useMemo(() => {
    const all = (devices.length === 0 ? undefined : data) ?? []
    const marks = all.map(({ id, at, until, text, by }): ChartMark => ({
      id,
      from: at,
      text: `${nameOf(by)}: ${text}`,
      ...(until !== null && { to: until }),
    }))
    return { all, marks }
  }, [data, devices, nameOf])
}
