import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { Result } from '@longreach/kit/contract'
import { useEffect, useRef } from 'react'
import { api, query, stale } from '../../lib/api.ts'
import { useLiveStatusVersion } from '../../lib/live.ts'
import { useSession } from '../../lib/session.ts'
import { type ListState, questionOf } from './devices-url.ts'

export type Device = Result<(typeof mappingsContract)['endpoints']['devices']>['data'][number]

const pageSize = 100

/** The devices of a list, page after page as the reader goes down. */
export function useDevices(state: ListState) {
  const org = useSession().organization.resourceId
  const question = questionOf(state, org)
  return useInfiniteQuery({
    queryKey: [api.mappings.devices.key, question],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.devices({ query: { ...question, page: pageParam, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** The counts are read again this long after a state changed, when the list knows of it as well. */
const settledMs = 1_000

/** How many devices match the text, in all and by state; undefined until known. They follow the states. */
export function useCounts({ text, below }: ListState) {
  const org = useSession().organization.resourceId
  const counts = query(api.mappings.deviceCounts, {
    query: { organization: below ? `${org}.*` : org, ...(text !== '' && { search: text }) },
  })
  const version = useLiveStatusVersion()
  const known = useRef(version)
  useEffect(() => {
    if (known.current === version) return undefined
    const timer = setTimeout(() => {
      known.current = version
      void stale(api.mappings.deviceCounts)
    }, settledMs)
    return () => clearTimeout(timer)
  }, [version])
  return useQuery({ ...counts, placeholderData: keepPreviousData, refetchInterval: 15_000 }).data
}

/** After a device was made, changed or taken away. */
export const devicesChanged = () =>
  Promise.all([
    stale(api.mappings.devices),
    stale(api.mappings.deviceCounts),
    stale(api.mappings.device),
    stale(api.platform.configuration),
    stale(api.platform.series),
  ])
