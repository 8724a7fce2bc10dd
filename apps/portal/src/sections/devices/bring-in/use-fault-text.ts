import type { ImportFault } from './import-calls.ts'
import { useOptionalWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useServerText } from '../../../parts/words/server-text.ts'

/** Reason why a line created no device, in the person's language. */
export function useFaultText() {
  const serverText = useServerText()
  const findWords = useOptionalWords()
  return useCallback(
    (fault: ImportFault | null) => {
      if (fault === null) return ''
      const { column, code, value } = fault
      const text = findWords(`device-import.problem.${code}`, { value }) ?? serverText({ code })
      return column === '' ? text : `${column}: ${text}`
    },
    [findWords, serverText],
  )
}
