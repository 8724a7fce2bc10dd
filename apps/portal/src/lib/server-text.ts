import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

type Told = { code: string; message: string }

/**
 * What the server says of a step that failed, in the person's language: its own sentence in English,
 * which is the more exact one, else the words of its code.
 */
export function useServerText() {
  const t = useWords()
  const { messages, locale } = useIntl()
  return useCallback(
    ({ code, message }: Told) => {
      const words = messages[`errors.${code}`]
      // A text with gaps needs details that a failed step does not keep.
      const usable = words !== undefined && (typeof words !== 'string' || !words.includes('{'))
      return locale.startsWith('en') || !usable ? message : t(`errors.${code}`)
    },
    [t, messages, locale],
  )
}
