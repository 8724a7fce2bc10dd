import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

type Problem = {
  rule?: string | undefined
  values?: Readonly<Record<string, string | number>> | undefined
}

/** Text of a problem of a model, preset or formula in the person's language, by its rule. */
export function useProblemText() {
  const t = useWords()
  const findWords = useOptionalWords()
  return useCallback(
    ({ rule, values }: Problem) => findWords(`problems.${rule}`, values) ?? t('errors.field.other'),
    [t, findWords],
  )
}
