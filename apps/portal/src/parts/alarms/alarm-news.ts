import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { stale } from '../api/api.ts'
import { alarmsApi } from './alarm-calls.ts'

const everyMs = 2_000

/**
 * Fetches what shows alarms anew after a change of one of them. The newest change and the counts are asked
 * for every 2 s; a live subscription of alarms takes the place of this file alone.
 */
export function useAlarmNews(organization: string) {
  const { data, dataUpdatedAt, isError } = useQuery({
    queryKey: ['alarm-news', organization],
    queryFn: async ({ signal }) => {
      const { data: newest, counts } = await alarmsApi.listAlarms(
        { query: { organization }, body: { kind: 'history', pageSize: 1 } },
        { signal },
      )
      return JSON.stringify([newest[0]?.id, newest[0]?.updatedAt, counts])
    },
    refetchInterval: everyMs,
    staleTime: 0,
  })
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
