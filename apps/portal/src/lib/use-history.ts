import { endsNow, resolveRange, type TimeRange, type TimeWindow } from '@longreach/ui/time-range'
import { useNow } from '@longreach/ui/RelativeTime'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { api } from './api.ts'
import type { LineColumns } from '@longreach/ui/chart-data'
import {
  awayTimes,
  fetchHistory,
  fetchSparks,
  type Figure,
  type Source,
  sourceKey,
} from './history.ts'
import type { Resolution } from './resolution.ts'
import { useReach } from './reach.ts'
import { weekStartOf } from './time-zone.ts'

/** Where a range lies now, moving with the clock by about a pixel at a time. */
export function useWindow(range: TimeRange, zone: string): TimeWindow {
  const { locale } = useIntl()
  const now = useNow()
  const first = resolveRange(range, now, zone, weekStartOf(locale))
  const step = endsNow(range) ? Math.max(1000, Math.floor((first.to - first.from) / 1000)) : 1
  const to = endsNow(range) ? Math.floor(first.to / step) * step : first.to
  const from =
    typeof range === 'string' && /^\d/.test(range) ? to - (first.to - first.from) : first.from
  return useMemo(() => ({ from, to }), [from, to])
}

type Shape = { resolution: Resolution; following: boolean; figure?: Figure; band?: boolean }

/**
 * History of several paths for a window. While `following`, it is asked again in steps, a little
 * beyond now, so that the live values have something to go on from.
 */
export function useHistory(
  sources: readonly Source[],
  window: TimeWindow,
  { resolution, following, figure = 'average', band = true }: Shape,
) {
  const org = useReach()
  const length = window.to - window.from
  const step = following ? Math.min(600_000, Math.max(5_000, length / 20)) : 1
  const asked = following
    ? { from: Math.floor(window.from / step) * step, to: Math.ceil((window.to + 1) / step) * step }
    : window
  return useQuery({
    queryKey: ['history', org, sources.map(sourceKey), asked, resolution, figure, band],
    queryFn: ({ signal }) =>
      fetchHistory(org, sources, { window: asked, resolution, figure, band }, signal),
    enabled: sources.length > 0,
    placeholderData: keepPreviousData,
    staleTime: following ? 5_000 : 60_000,
    refetchInterval:
      following && resolution !== 'raw' ? Math.min(60_000, Math.max(5_000, resolution)) : false,
  })
}

/** When the devices were away in the window, by device; empty while unknown. */
export function useAway(devices: readonly string[], window: TimeWindow) {
  const org = useReach()
  const step = 60_000
  const [from, to] = [Math.floor(window.from / step) * step, Math.ceil(window.to / step) * step]
  const { data } = useQuery({
    queryKey: [api.platform.status.key, org, devices, from, to],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          devices.map(async (deviceId) => {
            const query = { since: from, to, limit: 1000 }
            const answers = await api.platform.status(
              { params: { org, deviceId }, query },
              { signal },
            )
            const changes = answers.flatMap(({ data: rows }) =>
              rows.map(([at, connected]) => ({ at: Number(at), connected: connected === true })),
            )
            return [deviceId, awayTimes(changes, Date.now())] as const
          }),
        ),
      ),
    enabled: devices.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return data ?? noneAway
}
const noneAway: ReadonlyMap<string, TimeWindow[]> = new Map()

const sparkMs = 900_000

/** The last 15 minutes of some paths of a device in few points, for the small lines beside their values. */
export function useSparks(
  device: string,
  paths: readonly string[],
): ReadonlyMap<string, LineColumns> {
  const org = useReach()
  const { data } = useQuery({
    queryKey: ['sparks', org, device, paths],
    queryFn: ({ signal }) =>
      fetchSparks(org, { device, paths, since: Date.now() - sparkMs }, signal),
    enabled: paths.length > 0,
    staleTime: 300_000,
  })
  return data ?? noSparks
}
const noSparks: ReadonlyMap<string, LineColumns> = new Map()
