import { useWords } from '@longreach/ui/use-words'
import { Modal } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Handover } from './Handover.tsx'

/** Dialog with a link that is shown this once. */
export function HandoverDialog(props: ComponentProps<typeof Handover>) {
  const t = useWords()
  return (
    <Modal
      opened
      title={t('permission.handOver')}
      onClose={props.onClose}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Handover {...props} />
    </Modal>
  )
}
