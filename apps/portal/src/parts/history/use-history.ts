import { endsNow, resolveRange, type TimeRange, type TimeWindow } from '@longreach/ui/time-range'
import { useNow } from '@longreach/ui/RelativeTime'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { api } from '../api/api.ts'
import type { LineColumns } from '@longreach/ui/chart-data'
import { awayOf, type Change, type Presence, presencesOf } from './connections.ts'
import { fetchBefore } from './held.ts'
import { fetchHistory, fetchSparks, type Figure, type Source, sourceKey } from './history.ts'
import { isCalendar, type Resolution } from './resolution.ts'
import { useReach } from '../session/reach.ts'
import { weekStartOf } from '../look/time-zone.ts'

/** Window of a range at the present time, moving with the clock by about a pixel at a time. */
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

type Shape = {
  resolution: Resolution
  following: boolean
  zone: string
  figure?: Figure
  band?: boolean
}

/** Window to request: while `following`, in steps and up to a little after now. */
export function askedWindow(window: TimeWindow, following: boolean): TimeWindow {
  if (!following) return window
  const step = Math.min(600_000, Math.max(5_000, (window.to - window.from) / 20))
  const [from, to] = [window.from / step, (window.to + 1) / step]
  return { from: Math.floor(from) * step, to: Math.ceil(to) * step }
}

/**
 * History of several paths for a window. While `following`, it is asked again in steps, a little
 * beyond now, so that the live values have something to go on from.
 */
export function useHistory(
  sources: readonly Source[],
  window: TimeWindow,
  { resolution, following, zone, figure = 'average', band = true }: Shape,
) {
  const org = useReach()
  const asked = askedWindow(window, following)
  const shape = { resolution, figure, band, zone: isCalendar(resolution) ? zone : 'UTC' }
  return useQuery({
    queryKey: ['history', org, sources.map(sourceKey), asked, shape],
    queryFn: ({ signal }) => fetchHistory(org, sources, { window: asked, ...shape }, signal),
    enabled: sources.length > 0,
    placeholderData: keepPreviousData,
    staleTime: following ? 5_000 : 60_000,
    refetchInterval:
      following && resolution !== 'raw' ? Math.min(60_000, Math.max(5_000, resolution)) : false,
  })
}

/** The newest values before a time, by `sourceKey`; empty while unknown. */
export function useBefore(sources: readonly Source[], at: number, enabled: boolean) {
  const org = useReach()
  const { data } = useQuery({
    queryKey: ['before', org, sources.map(sourceKey), at],
    queryFn: ({ signal }) => fetchBefore(org, sources, at, signal),
    enabled: enabled && sources.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (enabled ? data : undefined) ?? nothingBefore
}
const nothingBefore: Awaited<ReturnType<typeof fetchBefore>> = new Map()

/** Spans of connection and disconnection in the window, by device; empty while they load. */
export function usePresences(devices: readonly string[], window: TimeWindow) {
  const org = useReach()
  const step = 60_000
  const [from, to] = [Math.floor(window.from / step) * step, Math.ceil(window.to / step) * step]
  const { data } = useQuery({
    queryKey: [api.platform.status.key, org, devices, from, to],
    queryFn: async ({ signal }) => {
      const changesOf = async (
        deviceId: string,
        query: { since?: number; to: number; limit: number },
      ) => {
        const answers = await api.platform.status({ params: { org, deviceId }, query }, { signal })
        return answers.flatMap(({ data: rows }) =>
          rows.map(([at, connected]): Change => ({
            at: Number(at),
            connected: connected === true,
          })),
        )
      }
      const known = { from, until: Math.min(to, Date.now()) }
      const presences = async (device: string): Promise<readonly [string, Presence[]]> => {
        // The last change before the window says how it began.
        const [before, within] = await Promise.all([
          changesOf(device, { to: from, limit: 1 }),
          changesOf(device, { since: from, to, limit: 1000 }),
        ])
        return [device, presencesOf([...before, ...within], known)]
      }
      return new Map(await Promise.all(devices.map(presences)))
    },
    enabled: devices.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return data ?? noPresences
}
const noPresences: ReadonlyMap<string, Presence[]> = new Map()

/** Spans of disconnection in the window, by device; empty while they load. */
export function useAway(devices: readonly string[], window: TimeWindow) {
  const presences = usePresences(devices, window)
  return useMemo(
    () => new Map([...presences].map(([device, spans]) => [device, awayOf(spans)])),
    [presences],
  )
}

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
