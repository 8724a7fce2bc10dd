import { AppError } from '@longreach/kit/errors'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { type Acted, alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { renewAlarms } from '../../parts/alarms/alarm-news.ts'
import type { AlarmAction } from '../../parts/alarms/alarm-state.ts'
import { watchJob } from '../../parts/jobs/jobs.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSkipped } from './use-skipped.ts'

/** Most alarms of one call. */
const most = 1_000

const actionCalls = {
  ack: alarmsApi.acknowledge,
  reset: alarmsApi.reset,
  clear: alarmsApi.clear,
}
export const allCalls = {
  ack: alarmsApi.acknowledgeAll,
  reset: alarmsApi.resetAll,
  clear: alarmsApi.clearAll,
}

/** Acts on alarms by their ids and says what was done and what was left, and why. */
export function useActOn() {
  const organization = useReach()
  const say = useSayActed()
  return useCallback(
    async (action: AlarmAction, ids: readonly string[], comment = '') => {
      const acted: Acted = { done: [], skipped: [] }
      for (let at = 0; at < ids.length; at += most) {
        const answer = await actionCalls[action]({
          query: { organization },
          body: { ids: ids.slice(at, at + most), ...(comment !== '' && { comment }) },
        })
        acted.done.push(...answer.done)
        acted.skipped.push(...answer.skipped)
      }
      say(action, acted)
    },
    [organization, say],
  )
}

/** Acts on one alarm; a refusal is said where the person looks. */
export function useActOnOne() {
  const organization = useReach()
  const say = useSayActed()
  const toast = useToast()
  const errorText = useErrorText()
  return useCallback(
    async (action: AlarmAction, id: string, comment = '') => {
      try {
        say(
          action,
          await actionCalls[action]({
            query: { organization },
            body: { id, ...(comment !== '' && { comment }) },
          }),
        )
      } catch (error) {
        toast({ kind: 'failed', message: errorText(error).message })
        // Somebody else may have been first: the list shows what is.
        if (error instanceof AppError) renewAlarms()
      }
    },
    [organization, say, toast, errorText],
  )
}

/** Says that an action goes on as a task, and opens the list of tasks. */
export function useSayTask() {
  const t = useWords()
  const toast = useToast()
  return useCallback(
    (action: AlarmAction, total: number) => {
      toast({ message: t(`alarm-acts.continues.${action}`, { total }) })
      void watchJob('alarms')
    },
    [t, toast],
  )
}

/** Says the result of an action, and fetches anew what shows alarms. */
export function useSayActed() {
  const t = useWords()
  const toast = useToast()
  const skippedText = useSkipped()
  return useCallback(
    (action: AlarmAction, { done, skipped }: Acted) => {
      renewAlarms()
      const counted = t(`alarms.done.${action}`, { count: done.length })
      toast({
        message: [counted, ...skippedText(skipped.map(({ reason }) => reason))].join(' '),
        ...(done.length === 0 && skipped.length > 0 && { kind: 'failed' as const }),
      })
    },
    [t, toast, skippedText],
  )
}
