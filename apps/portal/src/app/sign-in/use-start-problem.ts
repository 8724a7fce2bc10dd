import { useWords } from '@longreach/ui/use-words'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Problem } from '../start/boot.ts'

/** Why the portal could not start, in the person's words; a cause is told as everywhere else. */
export function useStartProblem() {
  const t = useWords()
  const errorText = useErrorText()
  return ({ id, values, cause }: Problem) => {
    const message = cause === undefined ? undefined : errorText(cause).message
    return t(id, { ...values, ...(message !== undefined && { message }) })
  }
}
