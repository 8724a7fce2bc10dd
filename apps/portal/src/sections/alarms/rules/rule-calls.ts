import type { Rule } from '@longreach/rules/rule'
import type { Result } from '@longreach/kit/contract'
import type { alarmsContract } from '@longreach/alarms/contract'
import { infiniteQueryOptions, keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query, stale } from '../../../parts/api/api.ts'
import { useSession } from '../../../parts/session/session.ts'

type Endpoints = (typeof alarmsContract)['endpoints']
export type StoredRule = Result<Endpoints['rule']>
export type RuleVersion = Result<Endpoints['ruleVersions']>['data'][number]
export type Issue = Result<Endpoints['validateRule']>['issues'][number]

/** Fields of a stored rule: the server has read it as a `Rule`. */
export const ruleOf = (stored: { rule: Record<string, unknown> }) => stored.rule as Rule

/** The organization whose rules are read and changed. */
export const useRuleOrganization = () => ({ organization: useSession().organization.resourceId })

type Question = { search?: string; model?: string; deviceId?: string; enabled?: boolean }

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

/** One rule in its newest version. */
export const useRule = (id: string) =>
  useQuery(query(alarmsApi.rule, { params: { id }, query: useRuleOrganization() }))

/** Forgets what is cached of rules, after a change of one. */
export function renewRules() {
  void stale(alarmsApi.rules)
  void stale(alarmsApi.rule)
  void stale(alarmsApi.ruleVersions)
  void stale(alarmsApi.overrides)
}
