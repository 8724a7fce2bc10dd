import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'

/** Time in ms in which a clear can be taken back; as long as its note is shown. */
const undoMs = 6_000

/**
 * Clears a number of alarms after some seconds in which the person can take it back. Until then they are not cleared: a
 * clear that the server took back would have been told to others, and would stand in the history. A page that
 * is closed before clears nothing.
 */
export function useClearLater() {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  return useCallback(
    (count: number, clear: () => Promise<void>) => {
      let state: 'waiting' | 'sent' | 'undone' = 'waiting'
      setTimeout(() => {
        if (state !== 'waiting') return
        state = 'sent'
        clear().catch((error: unknown) =>
          toast({ kind: 'failed', message: errorText(error).message }),
        )
      }, undoMs)
      const undo = () => {
        const isLate = state === 'sent'
        if (!isLate) state = 'undone'
        toast({
          message: t(isLate ? 'alarm-acts.tooLate' : 'alarm-acts.undone'),
          ...(isLate && { kind: 'failed' as const }),
        })
      }
      toast({
        message: t('alarm-acts.willClear', { count, seconds: undoMs / 1_000 }),
        action: { label: t('alarm-acts.undo'), run: undo },
      })
    },
    [t, toast, errorText],
  )
}
