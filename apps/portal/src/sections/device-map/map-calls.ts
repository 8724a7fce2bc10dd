import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { filtersOf, type ListState } from '../../parts/devices/device-filters.ts'
import { useSession } from '../../parts/session/session.ts'
import { apart, type Bucket, clusterOf, extentOf, gridZoom } from './cluster-rules.ts'
import { askedBox, cornersOf } from './map-url-rules.ts'
import type { View } from './map-stage.ts'

type Mappings = (typeof mappingsContract)['endpoints']
export type Device = Result<Mappings['searchDevices']>['data'][number]

const pageSize = 50
/** States change by themselves; the map follows. */
const again = { placeholderData: keepPreviousData, refetchInterval: 20_000, staleTime: 5_000 }

/** The organization of the list, alone or with all below. */
function useScope({ below }: ListState) {
  const org = useSession().organization.resourceId
  return { organization: below ? `${org}.*` : org }
}

/** The clusters in view; those before stay until the next are there. */
export function useClusters(state: ListState, view: View | undefined) {
  const scope = useScope(state)
  const grid = view ? gridZoom(view.zoom) : 0
  const box = view && askedBox(view.box, view.zoom)
  const asked = {
    query: scope,
    body: { ...filtersOf(state), ...(box && cornersOf(box)), geoTileGridPrecision: grid },
  }
  const { data, isFetching, error, refetch } = useQuery({
    ...query(api.mappings.deviceAggregations, asked),
    ...again,
    enabled: view !== undefined,
  })
  const alarms = useWorstAlarms(state, view)
  const zoom = view === undefined ? 0 : Math.round(view.zoom * 2) / 2
  const buckets = data?.geogrid?.buckets
  const clusters = useMemo(
    // Parts of the answer that the map counts on are in its schema.
    () =>
      apart(
        (buckets ?? []).map((bucket) => clusterOf(bucket as Bucket, alarms?.get(bucket.key))),
        zoom,
      ),
    [buckets, zoom, alarms],
  )
  return { clusters, known: buckets !== undefined, fetching: isFetching, error, retry: refetch }
}

const worstAlarm = 'attributes.alarms_max_severity'

/** Severities of the worst open alarms in the cells in view that have any, by the key of the cell. */
function useWorstAlarms(state: ListState, view: View | undefined) {
  const scope = useScope(state)
  const box = view && askedBox(view.box, view.zoom)
  const { data: filter, ...filters } = filtersOf(state)
  const data = [filter && `(${filter})`, `${worstAlarm} >= 0`].filter(Boolean).join(' and ')
  const grid = { geoTileGridPrecision: view ? gridZoom(view.zoom) : 0, statFields: [worstAlarm] }
  const { data: found } = useQuery({
    ...query(api.mappings.deviceAggregations, {
      query: scope,
      body: { ...filters, data, ...(box && cornersOf(box)), ...grid },
    }),
    ...again,
    enabled: view !== undefined,
  })
  return useMemo(
    () => found && new Map(found.geogrid?.buckets.map((one) => [one.key, worstIn(one)])),
    [found],
  )
}

/** Greatest severity in a cell, of the figures that stand beside it. */
function worstIn(bucket: Readonly<Record<string, unknown>>) {
  const figures = bucket[worstAlarm]
  const max = typeof figures === 'object' && figures !== null && 'max' in figures && figures.max
  return typeof max === 'number' ? max : undefined
}

/** Number of matching devices with a position, and the part of the world that they cover. */
export function useExtent(state: ListState) {
  const asked = {
    query: useScope(state),
    body: { ...filtersOf(state), geoTileGridPrecision: 0 },
  }
  const { data } = useQuery({ ...query(api.mappings.deviceAggregations, asked), ...again })
  if (data === undefined) return undefined
  const bounds = data.viewport?.bounds
  return {
    count: data.centroid?.count ?? 0,
    box: bounds && extentOf(bounds.top_left, bounds.bottom_right),
  }
}

/** The devices in view, the worst first; or those that have no position yet. */
export function useListed(state: ListState, view: View | undefined, tray: boolean) {
  const scope = useScope(state)
  const box = view && askedBox(view.box, view.zoom)
  const where = tray ? { placed: false } : box ? cornersOf(box) : { placed: true }
  const body = { ...filtersOf(state), ...where, orderBy: tray ? 'name' : 'state', pageSize }
  return useInfiniteQuery({
    queryKey: [api.mappings.searchDevices.key, scope, body],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.searchDevices({ query: scope, body: { ...body, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    ...again,
    enabled: tray || view !== undefined,
  })
}

/** Numbers of devices in each state, without the filter by state. */
export function useFigures(state: ListState) {
  const { connection: _any, ...rest } = state
  const asked = { ...useScope(state), ...filtersOf({ ...rest, connection: undefined }) }
  const counts = query(api.mappings.deviceCounts, { query: asked })
  return useQuery({ ...counts, ...again }).data
}

/** Devices that match and have no position. */
export function useUnplaced(state: ListState) {
  const asked = { ...useScope(state), ...filtersOf(state), placed: false }
  return useQuery({ ...query(api.mappings.deviceCounts, { query: asked }), ...again }).data?.total
}

/** After a device was put somewhere else. */
export const placesChanged = () =>
  Promise.all([
    stale(api.mappings.deviceAggregations),
    stale(api.mappings.searchDevices),
    stale(api.mappings.deviceCounts),
    stale(api.mappings.device),
    stale(api.mappings.devices),
  ])
