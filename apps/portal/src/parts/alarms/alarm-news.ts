import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { stale } from '../api/api.ts'
import { useLiveAlarmsVersion, useLiveState } from '../live/live.ts'
import { alarmsApi } from './alarm-calls.ts'

/** Interval of asking while the live socket tells changes, and while it does not. */
const everyMs = { live: 30_000, otherwise: 2_000 }
/** Shortest time between two fetches, so that a flood of changes does not load the list without a pause. */
const restMs = 500

/**
 * Fetches what shows alarms anew after a change of one of them: at once when the live socket tells it, and by
 * asking for the newest change and the counts, as the socket may be away.
 */
export function useAlarmNews(organization: string) {
  const isLive = useLiveState().name === 'live'
  const version = useLiveAlarmsVersion()
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: ['alarm-news', organization],
    queryFn: async ({ signal }) => {
      const { data: newest, counts } = await alarmsApi.listAlarms(
        { query: { organization }, body: { kind: 'history', pageSize: 1 } },
        { signal },
      )
      return JSON.stringify([newest[0]?.id, newest[0]?.updatedAt, counts])
    },
    refetchInterval: isLive ? everyMs.live : everyMs.otherwise,
    staleTime: 0,
  })
  const fetchedAt = useRef(0)
  useEffect(() => {
    if (version === 0) return undefined
    const wait = Math.max(0, fetchedAt.current + restMs - performance.now())
    const timer = setTimeout(() => {
      fetchedAt.current = performance.now()
      void refetch()
    }, wait)
    return () => clearTimeout(timer)
  }, [version, refetch])
  const seen = useRef(data)
  useEffect(() => {
    if (seen.current !== undefined && data !== seen.current) renewAlarms()
    seen.current = data
  }, [data])
  return { at: dataUpdatedAt, isError }
}

/** Forgets cached lists and details of alarms. */
export function renewAlarms() {
  void stale(alarmsApi.listAlarms)
  void stale(alarmsApi.alarmDetail)
}
