import { AppError } from '@longreach/kit/errors'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { splitFaults } from '../../../parts/forms/unfilled.ts'
import { query } from '../../../parts/api/api.ts'
import { type ChainLink, type Issue, useTriggerOrganization } from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { triggerPlaces } from './field-places.ts'
import { toPosted, type TriggerDraft } from './trigger-draft.ts'

const restMs = 500

/** Faults of a trigger as the server finds them, half a second after the last change; and the loop that it would close. */
function useTriggerFaults(draft: TriggerDraft, id: string | undefined) {
  const [settled] = useDebouncedValue(draft, restMs)
  const { data, isFetching } = useQuery({
    ...query(triggersApi.validateTrigger, {
      query: useTriggerOrganization(),
      body: { trigger: toPosted(settled), ...(id !== undefined && { id }) },
    }),
    placeholderData: keepPreviousData,
  })
  return {
    issues: data?.issues ?? none,
    loop: data?.loop ?? none,
    isSettled: settled === draft && !isFetching && data !== undefined,
  }
}
const none: readonly never[] = []

/** Text of a fault in the person's language; for one of an unknown code, that the value is invalid. */
function useIssueWords() {
  const t = useWords()
  const optional = useOptionalWords()
  return useCallback(
    ({ code, params }: Issue) => {
      // The form of a call has codes without parameters: what is empty or of no type is missing.
      const isBare = Object.keys(params).length === 0
      if (isBare && emptyCodes.has(code)) return t('trigger-editor.issue.missing')
      const { expected } = params
      const words = {
        ...params,
        ...(typeof expected === 'string' && {
          expected: optional(`alarm-rules.type.${expected}`) ?? expected,
        }),
      }
      return (
        optional(`trigger-editor.issue.${code}`, words) ??
        (isBare && withLimit.has(code)
          ? undefined
          : optional(`alarm-rules.issue.${code}`, words)) ??
        t('trigger-editor.issue.invalid')
      )
    },
    [t, optional],
  )
}

const emptyCodes = new Set(['too_small', 'too_short', 'invalid_type', 'invalid_union'])
/** Codes whose words say a limit or a type. */
const withLimit = new Set([
  'too_large',
  'too_long',
  'too_many',
  'too_few',
  'wrong_type',
  'not_one_of',
])

/** Finds the text of the fault at a place, and the faults at places for which there is no field. */
function useFaultsByPlace(issues: readonly Issue[], places: ReadonlySet<string>) {
  const textOf = useIssueWords()
  return useMemo(() => {
    const byPlace = new Map(
      issues.map((issue) => [fieldPlaceOf(issue.place, places), textOf(issue)]),
    )
    return {
      faultOf: (place: string) => byPlace.get(place),
      others: issues.filter(({ place }) => fieldPlaceOf(place, places) === undefined).map(textOf),
    }
  }, [issues, places, textOf])
}

/**
 * Faults as the editor shows them: at fields, and above the form. A trigger that nobody has touched is not wrong yet;
 * what the server refused counts until something is changed.
 */
export function useShownFaults(draft: TriggerDraft, id: string | undefined, isDirty: boolean) {
  const [refused, setRefused] = useState<{ draft: TriggerDraft; error: unknown }>()
  const { issues, loop, isSettled } = useTriggerFaults(draft, id)
  const places = useMemo(() => triggerPlaces(draft), [draft])
  const refusal = refusedSave(refused?.draft === draft ? refused.error : undefined)
  const isShown = isDirty || refusal.issues.length > 0
  // What is still empty in a new one is not wrong.
  const found = id === undefined ? splitFaults(draft, issues).wrong : issues
  const shown = useFaultsByPlace(isShown ? [...found, ...refusal.issues] : none, places)
  return {
    ...shown,
    chain: loop.length > 0 ? loop : refusal.chain,
    missing: refusal.missing,
    /** Undefined while they are not known. */
    faults: isSettled ? { issues, isLoop: loop.length > 0 } : undefined,
    setRefused: (error: unknown) => setRefused({ draft, error }),
  }
}

/** Faults that a refused save lists, the loop that it would close, and the rights that the person lacks. */
export function refusedSave(error: unknown) {
  const details = error instanceof AppError ? error.details : {}
  return {
    issues: listOf<Issue>(details['issues']),
    chain: listOf<ChainLink>(details['chain']),
    missing: listOf<MissingRight>(details['missing']),
    isChanged: error instanceof AppError && error.code === 'triggers.changed',
  }
}

/** Right that who saves lacks, and the place that asks for it. */
export type MissingRight = { place?: string; permission?: string }

/** Place of the field that a fault is shown at: its own, or that of what it stands in. */
function fieldPlaceOf(place: string, places: ReadonlySet<string>): string | undefined {
  if (place === '' || places.has(place)) return place === '' ? undefined : place
  return fieldPlaceOf(place.split('.').slice(0, -1).join('.'), places)
}

const listOf = <Item>(value: unknown) => (Array.isArray(value) ? (value as Item[]) : []) // the contract says its shape
