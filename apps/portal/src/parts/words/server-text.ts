import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

/** Kind of a part that is plain text, as messages are compiled. */
const literalPart = 0

/** Why a step on the server failed, in the person's language: the words of its code. */
export function useServerText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    ({ code }: { code: string }) => {
      const words = messages[`errors.${code}`]
      // A text with gaps needs details that a failed step does not keep; built, a text is a list of parts.
      const usable =
        typeof words === 'string'
          ? !words.includes('{')
          : words?.every(({ type }: { type: number }) => type === literalPart) === true
      return t(usable ? `errors.${code}` : 'errors.internal')
    },
    [t, messages],
  )
}
