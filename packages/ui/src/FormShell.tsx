import { Button } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ErrorPanel } from './ErrorPanel.tsx'
import classes from './FormShell.module.css'
import { useWords } from './use-words.ts'

type FormShellProps = {
  children: ReactNode
  /** The verb on the button. */
  verb: string
  pending: boolean
  /** Error of the server that belongs to no field. */
  error: string | undefined
  /** The browser sends nothing itself. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onCancel?: () => void
  wide?: boolean
  /** The form deletes or withdraws something: its button is red. */
  dangerous?: boolean
}

/** Fields, the failure, and the buttons. Pending and error are required, so that no form forgets them. */
export function FormShell({
  children,
  verb,
  pending,
  error,
  onSubmit,
  onCancel,
  wide,
  dangerous = false,
}: FormShellProps) {
  const t = useWords()
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event)
      }}
    >
      {children}
      {error !== undefined && <ErrorPanel message={error} />}
      <div className={classes.buttons} data-wide={wide || undefined}>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        )}
        <Button type="submit" loading={pending} {...(dangerous && { color: 'red.8' })}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
