import { Button, Group } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ErrorPanel } from './ErrorPanel.tsx'
import { useWords } from './use-words.ts'

type FormShellProps = {
  children: ReactNode
  /** The verb on the button. */
  verb: string
  pending: boolean
  /** What the server said that belongs to no field. */
  error: string | undefined
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onCancel?: () => void
  wide?: boolean
}

/** A wide field is not wider than the form. */
const columns = { display: 'grid', gap: 12, gridTemplateColumns: 'minmax(0, 1fr)' }

/** Fields, the failure, and the buttons. Pending and error are required, so that no form forgets them. */
export function FormShell({
  children,
  verb,
  pending,
  error,
  onSubmit,
  onCancel,
  wide,
}: FormShellProps) {
  const t = useWords()
  return (
    <form style={columns} noValidate onSubmit={onSubmit}>
      {children}
      {error !== undefined && <ErrorPanel message={error} />}
      <Group justify="flex-end" gap="xs" grow={wide === true}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        )}
        <Button type="submit" loading={pending}>
          {verb}
        </Button>
      </Group>
    </form>
  )
}
