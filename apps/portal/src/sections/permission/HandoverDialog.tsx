import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import type { ComponentProps } from 'react'
import { Handover } from './Handover.tsx'

/** Dialog with a link that is shown this once. */
export function HandoverDialog(props: ComponentProps<typeof Handover>) {
  const t = useWords()
  return (
    <Dialog title={t('permission.handOver')} onClose={props.onClose}>
      <Handover {...props} />
    </Dialog>
  )
}
