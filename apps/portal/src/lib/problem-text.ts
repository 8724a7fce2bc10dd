import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

type Problem = {
  rule?: string | undefined
  values?: Readonly<Record<string, string | number>> | undefined
  message: string
}

/** What is wrong with a model, preset or formula, in the person's language: by its rule, else as the server says it. */
export function useProblemText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    ({ rule, values, message }: Problem) =>
      messages[`problems.${rule}`] === undefined ? message : t(`problems.${rule}`, values),
    [t, messages],
  )
}
