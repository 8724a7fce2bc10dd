import type { ImportFault } from './import-calls.ts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { useServerText } from '../../../parts/words/server-text.ts'

/** Why a line made no device, in the person's language. */
export function useFaultText() {
  const t = useWords()
  const serverText = useServerText()
  const { messages } = useIntl()
  return useCallback(
    (fault: ImportFault | null) => {
      if (fault === null) return ''
      const { column, code, value } = fault
      const word = `device-import.problem.${code}`
      const text = messages[word] === undefined ? serverText({ code }) : t(word, { value })
      return column === '' ? text : `${column}: ${text}`
    },
    [t, serverText, messages],
  )
}
