import { lazyFile } from './late.tsx'
import { type ReactElement, Suspense } from 'react'

const ReasonTooltip = lazyFile(() => import('./ReasonTooltip.tsx'), 'ReasonTooltip')

/** Text about an element, on hover and on focus; the element stands before the tooltip's file is here. */
export const Hint = ({ text, children }: { text: string; children: ReactElement }) => (
  <Suspense fallback={children}>
    <ReasonTooltip text={text}>{children}</ReasonTooltip>
  </Suspense>
)
