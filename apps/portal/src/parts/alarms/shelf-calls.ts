import type { alarmsContract } from '@longreach/alarms/contract'
import type { Input, Result } from '@longreach/kit/contract'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { query, stale } from '../api/api.ts'
import { alarmsApi } from './alarm-calls.ts'
import { renewAlarms } from './alarm-news.ts'

type Endpoints = (typeof alarmsContract)['endpoints']
export type Shelf = Result<Endpoints['shelf']>
export type ShelfTarget = Shelf['target']['type']
export type ShelfReason = Shelf['reason']
/** Filters of a list of shelves. */
export type ShelvesQuestion = Pick<
  NonNullable<Input<Endpoints['shelves']>['query']>,
  'search' | 'type' | 'reason' | 'mine'
>

export const shelfReasons: readonly ShelfReason[] = [
  'maintenance',
  'repair',
  'sensor',
  'nuisance',
  'test',
  'other',
]
export const shelfTargets: readonly ShelfTarget[] = [
  'alarm',
  'device',
  'rule',
  'group',
  'class',
  'organization',
]

const pageSize = 200

/** Shelves of an organization and those above, page after page, the one that ends first at the top. */
export const shelvesQuery = (organization: string, question: ShelvesQuestion) =>
  infiniteQueryOptions({
    queryKey: [alarmsApi.shelves.key, organization, question],
    queryFn: ({ pageParam: page, signal }) =>
      alarmsApi.shelves({ query: { organization, ...question, page, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ last }, pages) => (last ? undefined : pages.length),
    placeholderData: keepPreviousData,
    // Shelves end by themselves.
    refetchInterval: 30_000,
  })

/** Number of shelves. */
export const shelfCountQuery = (organization: string) => ({
  ...query(alarmsApi.shelves, { query: { organization, page: 0, pageSize: 1 } }),
  refetchInterval: 30_000,
})

/** Forgets what is cached of shelves and alarms, after a change of one. */
export function renewShelves() {
  void stale(alarmsApi.shelves)
  void stale(alarmsApi.shelf)
  renewAlarms()
}
