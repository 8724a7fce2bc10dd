import type { coreContract } from '@longreach/core/contract'
import type { Action } from '@longreach/authorization/permissions'
import type { Result } from '@longreach/kit/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { personName } from '../../parts/access/right-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import type { Entry, Kind } from './draft-rules.ts'

export type DeviceGroup = Result<
  (typeof coreContract)['endpoints']['securityPolicies']
>['content'][number]

const pageSize = 100

/** Device groups by name, page after page. */
export function useDeviceGroups(search: string, ownToo: boolean) {
  const org = useSession().organization.resourceId
  const asked = {
    pageSize,
    counts: true,
    ...(search !== '' && { search }),
    ...(!ownToo && { type: 'STANDARD' as const }),
  }
  return useInfiniteQuery({
    queryKey: [api.core.securityPolicies.key, org, asked],
    queryFn: ({ pageParam, signal }) =>
      api.core.securityPolicies(
        { params: { org }, query: { ...asked, page: pageParam } },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
  })
}

/** Current content of a group: its people, user groups, roles and devices. */
export function useGroup(policy: string) {
  const org = useSession().organization.resourceId
  const use = useQuery(query(api.core.policyUse, { params: { org, policy } }))
  const devices = useQuery(
    query(api.core.policyDevices, { params: { org, policy }, query: { pageSize: 1_000 } }),
  )
  const entries: Entry[] = [
    ...(use.data?.people ?? []).map((user): Entry => person(user)),
    ...(use.data?.userGroups ?? []).map(({ id, label }) => entryOf('userGroup', id, label)),
    ...(use.data?.roles ?? []).map(({ id, label, actions }) => ({
      ...entryOf('role', id, label),
      actions: actions as Action[],
    })),
    ...(devices.data?.content ?? []).map(({ hwId, label }) => entryOf('device', hwId, label)),
  ]
  return {
    group: use.data,
    entries,
    error: use.error ?? devices.error,
    ready: use.data && devices.data,
  }
}

const entryOf = (kind: Kind, id: number | string, label: string): Entry => ({
  kind,
  id: String(id),
  label,
})
const person = (user: { id: number; username: string; firstName: string; lastName: string }) =>
  entryOf('person', user.id, personName(user))

/** Entries of one kind that can be put into a group. */
export function useCandidates(kind: Kind, search: string) {
  const org = useSession().organization.resourceId
  const may = useMay()
  const text = search === '' ? {} : { search }
  const asked = { params: { org }, query: { pageSize, ...text } }
  const people = useQuery({
    ...query(api.core.users, asked),
    enabled: kind === 'person' && may('users:read'),
    placeholderData: keepPreviousData,
  })
  const groups = useQuery({
    ...query(api.core.userGroups, {
      ...asked,
      query: { ...asked.query, type: 'STANDARD' as const },
    }),
    enabled: kind === 'userGroup' && may('usergroups:read'),
    placeholderData: keepPreviousData,
  })
  const roles = useQuery({
    // Ready-made roles stay as they are.
    ...query(api.core.roles, { ...asked, query: { ...asked.query, owner: 'ORGANIZATION' } }),
    enabled: kind === 'role' && may('roles:read'),
    placeholderData: keepPreviousData,
  })
  const devices = useQuery({
    ...query(api.core.coreDevices, { params: { org: `${org}.*` }, query: asked.query }),
    enabled: kind === 'device',
    placeholderData: keepPreviousData,
  })
  const found: Record<Kind, { data: Entry[] | undefined; error: Error | null }> = {
    person: { data: people.data?.content.map(person), error: people.error },
    userGroup: {
      data: groups.data?.content.map(({ id, label }) => entryOf('userGroup', id, label)),
      error: groups.error,
    },
    role: {
      data: roles.data?.content.map(({ id, label }) => entryOf('role', id, label)),
      error: roles.error,
    },
    device: {
      data: devices.data?.content.map(({ hwId, label }) => entryOf('device', hwId, label)),
      error: devices.error,
    },
  }
  return found[kind]
}

/** After a group, or what is in it, was changed. */
export const groupsChanged = () =>
  Promise.all([
    stale(api.core.securityPolicies),
    stale(api.core.policyUse),
    stale(api.core.policyDevices),
    stale(api.core.policySight),
    stale(api.core.coreDevices),
    stale(api.core.roles),
    stale(api.mappings.devices),
  ])
