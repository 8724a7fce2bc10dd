import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

/** What is wrong, in the person's language: by its rule, else as the server says it. */
export function useProblemText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    ({ rule, message }: { rule?: string | undefined; message: string }) =>
      messages[`models.problem.${rule}`] === undefined ? message : t(`models.problem.${rule}`),
    [t, messages],
  )
}
