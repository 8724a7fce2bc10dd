import { Modal } from '@mantine/core'

/** Placeholder */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return <Modal opened onClose={onClose} title="" />
}
