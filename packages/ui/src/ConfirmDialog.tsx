import { Dialog } from './Dialog.tsx'
import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorPanel } from './ErrorPanel.tsx'
import classes from './FormShell.module.css'
import { useWords } from './use-words.ts'

type ConfirmDialogProps = {
  title: string
  /** Consequences of the action, and what stops working. */
  children: ReactNode
  /** The verb on the button. */
  verb: string
  danger?: boolean
  /** For what cannot be undone: the person types this first. */
  typed?: string
  pending: boolean
  error: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something irreversible or something that moves a machine; shows the failure where it was asked. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, verb, danger, typed, pending, error, onConfirm, onClose } = props
  const t = useWords()
  const [text, setText] = useState('')
  return (
    <Dialog onClose={onClose} title={title} size="sm">
      <form
        style={{ display: 'grid', gap: 12 }}
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <div className={classes.words}>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={t('ui.typeToConfirm', { text: typed })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {error !== undefined && <ErrorPanel message={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.8' : 'brand'}
            loading={pending}
            disabled={typed !== undefined && text !== typed}
          >
            {verb}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
