import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from './EmptyState.tsx'

type Props = { title: string; text?: ReactNode; clear: string; onClear: () => void }

/** Says that the filter finds nothing, and takes it away. */
export function NothingFound({ title, text, clear, onClear }: Props) {
  const action = (
    <Button variant="default" onClick={onClear}>
      {clear}
    </Button>
  )
  return <EmptyState kind="filtered" title={title} text={text} action={action} />
}
