import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../lib/api.ts'
import { useReach } from '../../lib/reach.ts'
import { useSession } from '../../lib/session.ts'

type Endpoints = (typeof mappingsContract)['endpoints']
export type Preset = Result<Endpoints['presets']>['data'][number]
export type Use = Result<Endpoints['presetUses']>[number]
export type Trial = Result<Endpoints['dryRun']>
export type TrialLeaf = Trial['leaves'][number]

/** The organization itself, as calls name it: presets are made and changed there. */
export const useHere = () => ({ organization: useSession().organization.resourceId })

const mostPresets = 1_000

/** Presets of the organization, and those that one above shares, with their devices. */
export function usePresets(text: string) {
  const here = useHere()
  const asked = { ...here, page: 0, pageSize: mostPresets, ...(text !== '' && { search: text }) }
  const list = useQuery({
    ...query(api.mappings.presets, { query: asked }),
    placeholderData: keepPreviousData,
  })
  const ids = (list.data?.data ?? []).map(({ id }) => id)
  const uses = useUses(ids)
  return { list, uses }
}

/** How far the devices of some presets are, by preset; asked for again while one is on its way. */
export function useUses(ids: readonly string[]): ReadonlyMap<string, Use> {
  const organization = useReach()
  const { data = [] } = useQuery({
    ...query(api.mappings.presetUses, { query: { organization, ids: [...ids] } }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.pending > 0) ? 2_000 : 15_000),
  })
  return new Map(data.map((one) => [one.id, one]))
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
