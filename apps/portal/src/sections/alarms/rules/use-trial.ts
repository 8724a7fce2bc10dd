import type { Rule } from '@longreach/rules/rule'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../parts/api/api.ts'
import { useRuleReach } from './rule-calls.ts'

/** Time in ms after the last change of a rule at which it is tried. */
const restMs = 400

type Asked = {
  rule: Rule
  ruleId: string | undefined
  devices: readonly string[]
  from: number
  to: number
}

/**
 * Trial of a rule that follows its changes: it begins when nothing has changed for a moment, and one that is
 * under way is given up for a newer one.
 */
export function useRuleTrial({ rule, ruleId, devices, from, to }: Asked) {
  const { organization } = useRuleReach()
  const key = JSON.stringify({ rule, devices, from, to })
  const [settled] = useDebouncedValue(key, restMs)
  const body = useMemo(
    () => JSON.parse(settled) as Pick<Asked, 'rule' | 'devices' | 'from' | 'to'>,
    [settled],
  )
  const trial = useQuery({
    queryKey: [api.platform.tryRule.key, organization, ruleId, settled],
    queryFn: ({ signal }) =>
      api.platform.tryRule(
        {
          query: { organization },
          body: {
            ...body,
            devices: [...body.devices],
            ...(ruleId !== undefined && { ruleId }),
          },
        },
        { signal },
      ),
    enabled: body.devices.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  return { trial, isBehind: settled !== key || trial.isFetching }
}
