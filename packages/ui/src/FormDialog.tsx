import type { ComponentProps } from 'react'
import { Dialog } from './Dialog.tsx'
import { FormShell } from './FormShell.tsx'

type Props = Omit<ComponentProps<typeof FormShell>, 'onCancel'> &
  Pick<ComponentProps<typeof Dialog>, 'size' | 'closeOnClickOutside'> & {
    title: string
    onClose: () => void
  }

/** Dialog with a form: title, fields, failure, Cancel and the verb. */
export function FormDialog(props: Props) {
  const { title, onClose, size = 'md', closeOnClickOutside = true, ...form } = props
  return (
    <Dialog title={title} onClose={onClose} {...{ size, closeOnClickOutside }}>
      <FormShell {...form} onCancel={onClose} />
    </Dialog>
  )
}
