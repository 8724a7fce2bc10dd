import { Modal } from '@mantine/core'

/** Placeholder */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  return <Modal opened onClose={onClose} title="" />
}
