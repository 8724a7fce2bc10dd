import { lazyFile } from './late.tsx'
import { type ReactElement, Suspense } from 'react'

const ReasonTooltip = lazyFile(() => import('./ReasonTooltip.tsx'), 'ReasonTooltip')

/** Around a control that may not be used: why, on hover and on focus. Without a text it is only the control. */
export function Reason({ text, children }: { text: string | undefined; children: ReactElement }) {
  if (text === undefined) return children
  return (
    <Suspense fallback={children}>
      <ReasonTooltip text={text}>{children}</ReasonTooltip>
    </Suspense>
  )
}
