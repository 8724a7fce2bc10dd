import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

type Problem = {
  rule?: string | undefined
  values?: Readonly<Record<string, string | number>> | undefined
}

/** Text of a problem of a model, preset or formula in the person's language, by its rule. */
export function useProblemText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    ({ rule, values }: Problem) =>
      messages[`problems.${rule}`] === undefined
        ? t('errors.field.other')
        : t(`problems.${rule}`, values),
    [t, messages],
  )
}
