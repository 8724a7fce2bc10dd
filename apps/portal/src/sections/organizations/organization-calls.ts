import type { coreContract } from '@longreach/core/contract'
import type { Input, Result } from '@longreach/kit/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'

type Endpoints = (typeof coreContract)['endpoints']
export type TreeNode = Result<Endpoints['tree']>['content'][number]
export type Change = Input<Endpoints['updateOrganization']>['body']
export type Consequence = Result<Endpoints['consequences']>[number]

const pageSize = 100

/** The organizations directly below `at`, or with a text those anywhere below, page after page. */
export function useBranch(at: string, search?: string) {
  const org = useSession().organization.resourceId
  const question = search ? { search } : { at }
  return useInfiniteQuery({
    queryKey: [api.core.tree.key, org, question],
    queryFn: ({ pageParam, signal }) =>
      api.core.tree(
        { params: { org }, query: { ...question, page: pageParam, pageSize } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    ...(search !== undefined && { placeholderData: keepPreviousData }),
  })
}

/** The organization that the page is about: the one of the address, else the session's. */
export function useChosen() {
  const { resourceId } = useSession().organization
  const [search] = useSearch()
  return one(search['at']) ?? resourceId
}

export const organizationQuery = (org: string) => query(api.core.organization, { params: { org } })
export const dependenciesQuery = (org: string) => query(api.core.dependencies, { params: { org } })
export const resourcesQuery = (org: string) => query(api.core.resources, { params: { org } })
export const accessRulesQuery = (org: string) => query(api.core.accessRules, { params: { org } })

/** Organizations directly below that let nobody in from above, the first hundred. */
export const closedBelowQuery = (org: string) =>
  query(api.core.organizations, {
    params: { org },
    query: { onlyFirstLevel: true, includePrivateAccess: true, privateAccess: true, pageSize: 100 },
  })

/** Settings that the organization above allows; undefined while unknown, or when the person may not read them. */
export function useGrantsAbove(resourceId: string) {
  const top = useSession().organization.resourceId
  const parent = parentOf(resourceId)
  const known = parent !== undefined && (parent === top || parent.startsWith(`${top}.`))
  const grants = query(api.core.grants, { params: { org: parent ?? '' } })
  return useQuery({ ...grants, enabled: known }).data
}

/** resourceId of the organization above; undefined for a root. */
export const parentOf = (resourceId: string) =>
  resourceId.includes('.') ? resourceId.slice(0, resourceId.lastIndexOf('.')) : undefined

/** After an organization was made, changed, deleted or restored. */
export const organizationsChanged = () =>
  Promise.all([
    stale(api.core.tree),
    stale(api.core.organization),
    stale(api.core.organizations),
    stale(api.core.dependencies),
    stale(api.core.resources),
    stale(api.core.grants),
    stale(api.core.accessRules),
    stale(api.core.deletedOrganizations),
    stale(api.core.peopleWithoutFactor),
  ])
