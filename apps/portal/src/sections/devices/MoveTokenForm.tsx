import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'

type Props = {
  title: string
  help: string
  /** Name of the token in the server's errors, to show them at its field. */
  field: string
  /** The question what the move would do: under way, or refused. */
  look: { isPending: boolean; error: Error | null }
  onToken: (token: string) => void
  onClose: () => void
}

/** Asks for the import token of the organization that something is given to. */
export function MoveTokenForm({ title, help, field, look, onToken, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const [tried, setTried] = useState(false)
  const token = text.trim()
  const failure = look.error ? errorText(look.error) : undefined
  const atField = failure?.fields[field]
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      verb={t('devices.moveLook')}
      pending={look.isPending}
      error={failure && atField === undefined ? failure.message : undefined}
      onSubmit={() => {
        setTried(true)
        if (token !== '') onToken(token)
      }}
    >
      <TextInput
        data-autofocus
        label={t('devices.moveToken')}
        description={help}
        value={text}
        maxLength={200}
        autoComplete="off"
        error={tried && token === '' ? t('devices.moveTokenNeeded') : atField}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
