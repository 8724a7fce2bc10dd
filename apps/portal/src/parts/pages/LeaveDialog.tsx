import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode, RefObject } from 'react'

type Props = {
  dirty: boolean
  /** True while the page itself goes away after saving. */
  leaving: RefObject<boolean>
  title: string
  /** Text of the button that leaves. */
  verb: string
  children: ReactNode
}

/** Asks before unsaved changes are left behind. */
export function LeaveDialog({ dirty, leaving, title, verb, children }: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && !leaving.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty && !leaving.current,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      danger
      pending={false}
      error={undefined}
      onConfirm={proceed}
      onClose={reset}
    >
      {children}
    </ConfirmDialog>
  )
}
