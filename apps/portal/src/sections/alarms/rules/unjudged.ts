import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api, query } from '../../../parts/api/api.ts'
import { useRuleReach } from './rule-calls.ts'

type Unjudged = Result<(typeof platformContract)['endpoints']['unjudgedValues']>['data'][number]

const none: readonly Unjudged[] = []

/** Late values of a rule or a device that were not judged; none while they load. */
export function useUnjudged(about: { ruleId: string } | { deviceId: string }): readonly Unjudged[] {
  const { data } = useQuery(
    query(api.platform.unjudgedValues, { query: { ...useRuleReach(), ...about } }),
  )
  return data?.data ?? none
}

/** Times of late values, as people read them. */
export function useUnjudgedTimes() {
  const { formatDate } = useIntl()
  const text = (at: number) => formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
  return ({ from, to }: Unjudged) => ({ from: text(from), to: text(to) })
}
