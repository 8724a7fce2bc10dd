import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { platformContract } from '@longreach/platform/contract'
import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'

type Endpoints = (typeof mappingsContract)['endpoints']
export type Preset = Result<Endpoints['preset']>['value']
/** Without its content. */
export type ListedPreset = Result<Endpoints['presets']>['data'][number]
export type Use = Result<Endpoints['presetUses']>[number]
export type Trial = Result<(typeof platformContract)['endpoints']['dryRun']>
export type TrialLeaf = Trial['leaves'][number]

/** The organization itself, as calls name it: presets are made and changed there. */
export const useHere = () => ({ organization: useSession().organization.resourceId })

const pageSize = 100

/** Presets of the organization, and those that one above shares, page after page, with their devices. */
export function usePresets(text: string) {
  const here = useHere()
  const asked = { ...here, pageSize, omitContent: true, ...(text !== '' && { search: text }) }
  const list = useInfiniteQuery({
    queryKey: [api.mappings.presets.key, asked],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.presets({ query: { ...asked, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
  const presets = list.data?.pages.flatMap(({ data }) => data) ?? []
  return { list, presets, uses: useUses(presets.map(({ id }) => id)) }
}

/** Progress of the devices of some presets, by preset; asked for again while a change is under way. */
export function useUses(ids: readonly string[]): ReadonlyMap<string, Use> {
  const organization = useReach()
  // An address holds only so many ids.
  const parts = Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, part) =>
    ids.slice(part * pageSize, (part + 1) * pageSize),
  )
  return useQueries({
    queries: parts.map((part) => ({
      ...query(api.mappings.presetUses, { query: { organization, ids: part } }),
      refetchInterval: ({ state }: { state: { data?: Use[] | undefined } }) =>
        state.data?.some((one) => one.pending > 0) ? 2_000 : 15_000,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data = [] }) => data.map((one) => [one.id, one] as const))),
  })
}

export const presetQuery = (organization: string, id: string) =>
  query(api.mappings.preset, { params: { id }, query: { organization } })

/** After a preset was made, changed, handed out or taken away. */
export const presetsChanged = () =>
  Promise.all([
    stale(api.mappings.presets),
    stale(api.mappings.preset),
    stale(api.mappings.presetUses),
    stale(api.mappings.devices),
    stale(api.mappings.device),
    stale(api.platform.configuration),
  ])
