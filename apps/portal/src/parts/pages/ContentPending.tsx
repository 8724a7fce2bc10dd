import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import type { ComponentProps } from 'react'
import { useErrorText } from '../words/error-text.ts'
import { FailedPanel } from './FailedPanel.tsx'

type Props = {
  /** Failure of the query; absent while it is on its way. */
  error: unknown
  refetch: () => unknown
  rows?: number
  /** Given: a thing of this kind, which may have been deleted. */
  kind?: ComponentProps<typeof FailedPanel>['kind']
}

/** Stands in place of an answer: rows in outline while it loads, or the failure with a way to try again. */
export function ContentPending({ error, refetch, rows = 8, kind }: Props) {
  const errorText = useErrorText()
  if (!error) return <RowsSkeleton rows={rows} />
  const onRetry = () => void refetch()
  if (kind) return <FailedPanel kind={kind} error={error} onRetry={onRetry} />
  return <ErrorPanel {...errorText(error)} onRetry={onRetry} />
}

type PanelProps = Props & Pick<ComponentProps<typeof SidePanel>, 'title' | 'onClose'>

/** The same as a panel beside a list. */
export function PanelPending({ title, onClose, ...answer }: PanelProps) {
  return (
    <SidePanel title={title} onClose={onClose}>
      <PanelSection>
        <ContentPending {...answer} />
      </PanelSection>
    </SidePanel>
  )
}
