import type { Rule } from '@longreach/rules/rule'
import type { Result } from '@longreach/kit/contract'
import type { alarmsContract } from '@longreach/alarms/contract'
import { infiniteQueryOptions, keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query, stale } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useSession } from '../../../parts/session/session.ts'

type Endpoints = (typeof alarmsContract)['endpoints']
export type StoredRule = Result<Endpoints['rule']>
export type RuleVersion = Result<Endpoints['ruleVersions']>['data'][number]
export type Issue = Result<Endpoints['validateRule']>['issues'][number]

/** Fields of a stored rule: the server has read it as a `Rule`. */
export const ruleOf = (stored: { rule: Record<string, unknown> }) => stored.rule as Rule

/** Organization of the rule that is shown; absent where rules of the session's organization are. */
export const RuleOrganization = createContext<string | undefined>(undefined)

/** The organization whose rules are read and changed. */
export function useRuleOrganization() {
  const own = useSession().organization.resourceId
  return { organization: use(RuleOrganization) ?? own }
}

/** The same with all below it, where devices of a rule may be. */
export const useRuleReach = () => ({ organization: `${useRuleOrganization().organization}.*` })

/**
 * Place of a rule beside the session's organization, and the organization in which it is read and changed: its
 * own, or that of the session for one from above.
 */
export function useRulePlace({ orgResourceId }: Pick<StoredRule, 'orgResourceId'>) {
  const own = useSession().organization.resourceId
  const place =
    orgResourceId === own ? 'here' : orgResourceId.startsWith(`${own}.`) ? 'below' : 'above'
  return { place, organization: place === 'above' ? own : orgResourceId } as const
}

type Question = { search?: string; model?: string; modelOrganization?: string; enabled?: boolean }

const pageSize = 200

/** Rules of an organization, page after page. */
export const rulesQuery = (organization: string, question: Question) =>
  infiniteQueryOptions({
    queryKey: [alarmsApi.rules.key, organization, question],
    queryFn: ({ pageParam: page, signal }) =>
      alarmsApi.rules({ query: { organization, ...question, page, pageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ last }, pages) => (last ? undefined : pages.length),
    placeholderData: keepPreviousData,
  })

/** One rule in its newest version, also one of an organization below. */
export const useRule = (id: string) =>
  useQuery(query(alarmsApi.rule, { params: { id }, query: { organization: useReach() } }))

/** Forgets what is cached of rules, after a change of one. */
export function renewRules() {
  void stale(alarmsApi.rules)
  void stale(alarmsApi.rule)
  void stale(alarmsApi.ruleVersions)
  void stale(alarmsApi.overrides)
}
