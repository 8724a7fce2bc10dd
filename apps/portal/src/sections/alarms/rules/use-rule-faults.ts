import type { RuleIssueCode } from '@longreach/rules/issue'
import type { Rule } from '@longreach/rules/rule'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query } from '../../../parts/api/api.ts'
import { splitFaults } from '../../../parts/forms/unfilled.ts'
import { type Issue, useRuleOrganization } from './rule-calls.ts'

const restMs = 500

/** Faults of a rule as the server finds them, half a second after the last change. */
export function useRuleFaults(rule: Rule, id: string | undefined) {
  const [settled] = useDebouncedValue(rule, restMs)
  const here = useRuleOrganization()
  const { data, isFetching } = useQuery({
    ...query(alarmsApi.validateRule, {
      query: { ...here, ...(id !== undefined && { id }) },
      body: { rule: settled },
    }),
    placeholderData: keepPreviousData,
  })
  const issues = data?.issues ?? none
  return {
    issues,
    /** Faults to mark: an empty field of a new rule is not wrong yet. */
    wrong: id === undefined ? splitFaults(rule, issues).wrong : issues,
    isSettled: settled === rule && !isFetching,
  }
}
const none: readonly Issue[] = []

/** Text of a fault in the person's language; one of an unknown code is called invalid. */
export function useIssueText() {
  const t = useWords()
  const optional = useOptionalWords()
  return useCallback(
    ({ code, params }: Issue) => {
      const known = code as RuleIssueCode // words of an unknown code are missing, and looked for
      const { expected, code: formula } = params
      const words = {
        ...params,
        ...(typeof expected === 'string' && {
          expected: optional(`alarm-rules.type.${expected}`) ?? expected,
        }),
        ...(typeof formula === 'string' && {
          fault: optional(`problems.formula.${formula}`, params) ?? formula,
        }),
      }
      return optional(`alarm-rules.issue.${known}`, words) ?? t('alarm-rules.issue.invalid')
    },
    [t, optional],
  )
}

/** Finds the text of the fault at a place, and the faults at places for which there is no field. */
export function useFaultTexts(issues: readonly Issue[], places: ReadonlySet<string>) {
  const textOf = useIssueText()
  return useMemo(() => {
    const byPlace = new Map(issues.map((issue) => [issue.place, textOf(issue)]))
    return {
      faultOf: (place: string) => byPlace.get(place),
      choicesOf: (place: string) => issues.find((one) => one.place === place)?.choices,
      others: issues.filter(({ place }) => !places.has(place)).map(textOf),
    }
  }, [issues, places, textOf])
}
