import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { actionProps } from './action-props.ts'
import { Hint } from './Hint.tsx'

type Own = keyof ButtonProps | 'onClick' | 'disabled'
type Props = Omit<ButtonProps, 'disabled'> &
  Omit<ComponentProps<'button'>, Own> & {
    /** Why it may not be pressed; undefined: it may. */
    reason: string | undefined
    /** Nothing is chosen or known yet: it is off, without a reason that needs saying. */
    idle?: boolean
    onClick?: () => unknown
    /** Draws a link in place of a button, while it may be pressed. */
    renderRoot?: (props: Record<string, unknown>) => ReactNode
  }

/** Button that says on hover and focus why it may not be pressed. */
export function ActionButton({ reason, idle = false, onClick, renderRoot, ...button }: Props) {
  const off = idle || reason !== undefined
  return (
    <Hint text={reason}>
      <Button
        {...button}
        {...(!off && renderRoot && { renderRoot })}
        {...actionProps(off, onClick)}
      />
    </Hint>
  )
}
