import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/react-query'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { platformContract } from '@longreach/platform/contract'
import type { Input, Result } from '@longreach/kit/contract'
import { useEffect, useRef } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { useLiveStatusVersion } from '../../parts/live/live.ts'
import { useSession } from '../../parts/session/session.ts'
import { filtersOf, type ListState, questionOf } from '../../parts/devices/device-filters.ts'

type Mappings = (typeof mappingsContract)['endpoints']
export type Device = Result<Mappings['devices']>['data'][number]
export type Activity = Result<
  (typeof platformContract)['endpoints']['activity']
>['data'][number] & { now: number }
/** Action on many devices, with the devices that it concerns. */
export type BulkBody = Input<Mappings['changeDevices']>['body']

/** The first page comes fast; who goes far down gets more at once. */
const [firstSize, laterSize] = [100, 500]
const firstPage = { page: 0, pageSize: firstSize }

/** The page after so many devices: large as soon as their number lets a large one begin there. */
const pageAfter = (loaded: number) => {
  const pageSize = loaded % laterSize === 0 ? laterSize : firstSize
  return { page: loaded / pageSize, pageSize }
}

/** Question for the devices of a list, page after page as the reader goes down; `org` is the organization alone. */
export function devicesQuery(state: ListState, org: string) {
  const question = questionOf(state, org)
  return infiniteQueryOptions({
    queryKey: [api.mappings.devices.key, question],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.devices({ query: { ...question, ...pageParam } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page, pages) =>
      page.last ? undefined : pageAfter(pages.reduce((sum, { data }) => sum + data.length, 0)),
  })
}

export function useDevices(state: ListState) {
  const asked = devicesQuery(state, useSession().organization.resourceId)
  return useInfiniteQuery({
    ...asked,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** Activity of these devices: the last time of data and the connection in the last 24 hours; a request for each page. */
export function useActivity(pages: readonly (readonly Device[])[]) {
  const org = useSession().organization.resourceId
  return useQueries({
    queries: pages
      .filter((page) => page.length > 0)
      .map((page) => {
        const body = { deviceIds: page.map(({ deviceId }) => deviceId) }
        const asked = query(api.platform.activity, { params: { org }, body })
        return { ...asked, staleTime: 30_000, refetchInterval: 60_000 }
      }),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data }) =>
          (data?.data ?? []).map((one): [string, Activity] => [
            one.deviceId,
            { ...one, now: data?.now ?? 0 },
          ]),
        ),
      ),
  })
}

/** The counts are read again this long after a state changed, when the list knows of it as well. */
const settledMs = 1_000

/** Question for the numbers of devices that match all filters but the state, in all and by state. */
export function countsQuery({ below, ...state }: ListState, org: string) {
  const filters = filtersOf({ ...state, connection: undefined })
  return query(api.mappings.deviceCounts, {
    query: { organization: below ? `${org}.*` : org, ...filters },
  })
}

/** Question for the saved views on the devices, with their counts. */
export const segmentsQuery = ({ below }: Pick<ListState, 'below'>, org: string) =>
  query(api.mappings.segments, { query: { organization: below ? `${org}.*` : org, counts: true } })

/** Answer of `countsQuery`; undefined until known. */
export function useCounts(state: ListState) {
  const counts = countsQuery(state, useSession().organization.resourceId)
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

/** After devices were made, changed, taken away or brought back. */
export const devicesChanged = () =>
  Promise.all([
    stale(api.mappings.devices),
    stale(api.mappings.deviceCounts),
    stale(api.mappings.device),
    stale(api.mappings.segments),
    stale(api.mappings.deviceFacets),
    stale(api.mappings.deletedDevices),
    stale(api.platform.configuration),
    stale(api.platform.series),
  ])
