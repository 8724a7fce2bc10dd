import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import type { Acted } from '../../parts/alarms/alarm-calls.ts'

type SkipReason = Acted['skipped'][number]['reason']

/** Sentences about alarms that an action leaves as they are: one for each reason, with their number. */
export function useSkipped() {
  const t = useWords()
  return useCallback(
    (reasons: readonly SkipReason[]) =>
      [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) =>
        t(`alarms.skipped.${reason}`, { count: length }),
      ),
    [t],
  )
}
