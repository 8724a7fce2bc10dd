import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useRoleLabels } from '../../parts/access/role-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { type ListState, questionOf } from './people-url.ts'

type Endpoints = (typeof coreContract)['endpoints']
export type Person = Result<Endpoints['user']>
/** A person in the list, with what it says beside their name. */
export type Listed = Result<Endpoints['users']>['content'][number]
export type ChangedPerson = Result<Endpoints['createUser']>
export type Group = Result<Endpoints['userGroup']>
export type AccessRequest = Result<Endpoints['accessRequests']>['content'][number]
export type Role = Result<Endpoints['role']>

const pageSize = 100
/** Choices in a field: as many as anybody reads through; typing finds the rest. */
const choices = 200

/** The organization of the session, as calls name it. */
export const useOrg = () => useSession().organization.resourceId

/** The people of a list, page after page as the reader goes down. */
export function usePeople(state: ListState) {
  const org = useOrg()
  const question = questionOf(state)
  return useInfiniteQuery({
    queryKey: [api.core.users.key, org, question],
    queryFn: ({ pageParam, signal }) => {
      const asked = { ...question, details: true, page: pageParam, pageSize }
      return api.core.users({ params: { org }, query: asked }, { signal })
    },
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
}

export const usePerson = (user: string) =>
  useQuery(query(api.core.user, { params: { org: useOrg(), user } }))

/** Groups that people make; none for who may not read groups. */
export function useGroups(search = '') {
  const org = useOrg()
  const may = useMay()('usergroups:read')
  const asked = {
    type: 'STANDARD' as const,
    pageSize: choices,
    ...(search !== '' && { search }),
  }
  return useQuery({
    ...query(api.core.userGroups, { params: { org }, query: asked }),
    enabled: may,
    placeholderData: keepPreviousData,
  })
}

/** Roles of the organization; none for who may not read roles. */
export function useRoles() {
  const org = useOrg()
  const may = useMay()('roles:read')
  const asked = { params: { org }, query: { pageSize: choices } }
  return useQuery({ ...query(api.core.roles, asked), enabled: may, select: useRoleLabels() })
}

/** Device groups of the organization; none for who may not read them. */
export function useDeviceGroups() {
  const org = useOrg()
  const may = useMay()('devicegroups:read')
  const asked = { params: { org }, query: { pageSize: choices } }
  return useQuery({ ...query(api.core.securityPolicies, asked), enabled: may })
}

/** Requests of people for access; only for a person who may add people. */
export const useAccessRequests = () =>
  useQuery(query(api.core.accessRequests, { params: { org: useOrg() } }))

/** Invitations without a reply; only for a person who may add people. */
export const useInvitations = () =>
  useQuery(query(api.core.invitations, { params: { org: useOrg() } }))

/** After people, groups or what they carry changed. */
export const peopleChanged = () =>
  Promise.all([
    stale(api.core.users),
    stale(api.core.user),
    stale(api.core.userGroups),
    stale(api.core.userGroup),
    stale(api.core.userPolicies),
    stale(api.core.userAccess),
    stale(api.core.userSecurity),
  ])

/** First and last name, or the user name. */
export const personName = ({ firstName, lastName, username }: Person) =>
  `${firstName} ${lastName}`.trim() || username
