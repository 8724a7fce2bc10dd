import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

/** Kind of a part that is plain text, as messages are compiled. */
const literalPart = 0

/** Reason of a failed step of the server in the person's language, by its code. */
export function useServerText() {
  const t = useWords()
  const findWords = useOptionalWords()
  const { messages } = useIntl()
  return useCallback(
    ({ code }: { code: string }) => {
      const words = messages[`errors.${code}`]
      // A text with placeholders needs details that a failed step does not keep; in a build a text is a list of parts.
      const usable =
        typeof words === 'string'
          ? !words.includes('{')
          : words?.every(({ type }: { type: number }) => type === literalPart) === true
      return (usable ? findWords(`errors.${code}`) : undefined) ?? t('errors.internal')
    },
    [t, findWords, messages],
  )
}
