import { Modal } from '@mantine/core'

/** Placeholder */
export function OrganizationSwitcher({ onClose }: { onClose: () => void }) {
  return <Modal opened onClose={onClose} title="" />
}
