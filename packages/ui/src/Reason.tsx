import type { ReactElement } from 'react'
import { Hint } from './Hint.tsx'

/** Around a control that may not be used: why, on hover and on focus. Without a text it is only the control. */
export function Reason({ text, children }: { text: string | undefined; children: ReactElement }) {
  return text === undefined ? children : <Hint text={text}>{children}</Hint>
}
