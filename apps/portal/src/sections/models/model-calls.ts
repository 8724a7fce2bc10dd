import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import type { ModelNode } from '../../parts/models/model-tree-rules.ts'
import { useSession } from '../../parts/session/session.ts'

type Endpoints = (typeof mappingsContract)['endpoints']
export type Model = Result<Endpoints['models']>['data'][number]
export type Impact = Result<Endpoints['modelImpact']>
export type Problem = Impact['problems'][number]
export type ModelChange = Impact['changes'][number]

export type ListState = {
  text: string
  shared: boolean
  used: 'yes' | 'no' | undefined
  sort: { id: string; desc: boolean }
}

const pageSize = 100

/** The models of the organization and those shared with it, each by its newest version. */
export function useModels({ text, shared, used, sort }: ListState) {
  const organization = useSession().organization.resourceId
  const question = {
    organization,
    omitContent: true,
    usage: true,
    orderBy: sort.id,
    orderDir: sort.desc ? ('desc' as const) : ('asc' as const),
    pageSize,
    ...(text !== '' && { search: text }),
    ...(shared && { shared: true }),
    ...(used && { used: used === 'yes' }),
  }
  return useInfiniteQuery({
    queryKey: [api.mappings.models.key, question],
    queryFn: ({ pageParam, signal }) =>
      api.mappings.models({ query: { ...question, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
}

/** One version with its tree. */
export function useModel(id: string) {
  const organization = useSession().organization.resourceId
  return useQuery(query(api.mappings.model, { params: { id }, query: { organization } }))
}

/** Presets and devices that use a model, and its newer versions. */
export function useUsage(id: string) {
  const organization = useSession().organization.resourceId
  return useQuery(query(api.mappings.modelUsage, { params: { id }, query: { organization } }))
}

/** All versions of a model with their trees, newest first; at most 200. */
export function useVersions({ name, orgResourceId }: Pick<Model, 'name' | 'orgResourceId'>) {
  const organization = useSession().organization.resourceId
  const data = `name == "${name}" and orgResourceId == "${orgResourceId}" and version != ""`
  const body = { data, page: 0, pageSize: 200 }
  const { data: found, ...rest } = useQuery(
    query(api.mappings.searchModels, { query: { organization }, body }),
  )
  return { ...rest, data: found?.data.toSorted((one, other) => byVersion(other, one)) }
}

const byVersion = (one: Model, other: Model) =>
  one.version.localeCompare(other.version, 'en', { numeric: true })

/** Impact of saving the tree: problems, next version, users of the model; undefined while unknown. Without an id: a new model. */
export function useImpact(id: string | undefined, data: ModelNode, name: string) {
  const organization = useSession().organization.resourceId
  return useQuery({
    queryKey: [api.mappings.modelImpact.key, organization, id, data, name],
    queryFn: async ({ signal }) => {
      const tree = { ...data }
      if (id !== undefined) {
        const input = { params: { id }, query: { organization }, body: { data: tree } }
        return api.mappings.modelImpact(input, { signal })
      }
      const asked = { ...tree, instanceOf: `${name === '' ? 'Model' : name}:1.0.0` }
      const input = { query: { organization }, body: { data: asked } }
      const { problems } = await api.mappings.validateModel(input, { signal })
      return { problems }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

/** After models were made, changed, shared or taken away. */
export const modelsChanged = () =>
  Promise.all([
    stale(api.mappings.models),
    stale(api.mappings.model),
    stale(api.mappings.modelUsage),
    stale(api.mappings.searchModels),
    stale(api.mappings.searchModelPaths),
  ])
