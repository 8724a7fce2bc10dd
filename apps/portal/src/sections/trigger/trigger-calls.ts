import type { Input, Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import { infiniteQueryOptions, keepPreviousData, useQuery } from '@tanstack/react-query'
import { query, stale } from '../../parts/api/api.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'

type Endpoints = (typeof triggersContract)['endpoints']
export type Trigger = Result<Endpoints['trigger']>
export type Posted = Input<Endpoints['createTrigger']>['body']
export type Run = Result<Endpoints['runsOfTrigger']>['data'][number]
export type RunDetail = Result<Endpoints['run']>
export type Trial = Result<(typeof platformContract)['endpoints']['tryTriggerData']>
export type Blocked = Result<Endpoints['blockedActions']>
export type Issue = Result<Endpoints['validateTrigger']>['issues'][number]
export type ChainLink = Result<Endpoints['validateTrigger']>['loop'][number]

/** Query of the calls of this section: the organization of the session. */
export const useTriggerOrganization = () => ({ organization: useSession().organization.resourceId })

const pageSize = 200

type Question = {
  search?: string
  disabled?: boolean
  orderBy?: 'name' | 'updatedAt'
  orderDir?: 'asc' | 'desc'
}

/** Triggers of an organization, page after page. */
export const triggersQuery = (organization: string, question: Question) =>
  infiniteQueryOptions({
    queryKey: [triggersApi.triggers.key, organization, question],
    queryFn: ({ pageParam: page, signal }) =>
      triggersApi.triggers({ query: { organization, ...question, page, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ last }, pages) => (last ? undefined : pages.length),
    placeholderData: keepPreviousData,
    // Counters and stops come from devices, not from this page.
    refetchInterval: 30_000,
  })

/** One trigger, asked again while its page is open: its counters and state change by themselves. */
export const useTrigger = (id: string) =>
  useQuery({
    ...query(triggersApi.trigger, { params: { id }, query: useTriggerOrganization() }),
    refetchInterval: 30_000,
  })

/** Actions that do not run here. */
export const useBlockedActions = () =>
  useQuery(query(triggersApi.blockedActions, { query: useTriggerOrganization() }))

/** Forgets what is cached of triggers, after a change of one. */
export async function renewTriggers() {
  await Promise.all([stale(triggersApi.triggers), stale(triggersApi.trigger)])
}

type Act = 'create' | 'update' | 'delete'

/** Reason for which a button may not be pressed: the permission that is missing. */
export function useMayNotChange(act: Act) {
  const may = useMay()
  return may(`triggers:${act}`) || may('organizations:update')
    ? undefined
    : ('trigger.mayNot' as const)
}
