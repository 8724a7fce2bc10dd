import type { MouseEvent } from 'react'

/**
 * Attributes of a control that can be pressed, or that is off: then it keeps the focus, looks disabled and does nothing.
 * A real `disabled` would take it away from the keyboard, and with it the reason.
 */
export function actionProps(off: boolean, run: (() => unknown) | undefined) {
  if (!off) return { onClick: () => void run?.() }
  const onClick = (event: MouseEvent) => event.preventDefault() // a submit button sends nothing
  return { 'aria-disabled': true as const, 'data-disabled': true as const, onClick }
}
