import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'

type Props = {
  dirty: boolean
  /** True while the page itself goes on after saving. */
  leaving: RefObject<boolean>
}

/** Asks before unsaved changes of a rule are left behind. */
export function LeaveRule({ dirty, leaving }: Props) {
  const t = useWords()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && !leaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && !leaving.current,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={t('alarm-rules.leaveTitle')}
      verb={t('alarm-rules.leave')}
      danger
      pending={false}
      error={undefined}
      onConfirm={proceed}
      onClose={reset}
    >
      {t('alarm-rules.leaveText')}
    </ConfirmDialog>
  )
}
