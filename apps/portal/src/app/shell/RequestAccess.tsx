import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Button, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { type Failure, useErrorText } from '../../parts/words/error-text.ts'

/** Ask the administrators of an organization that kept one out to be let in. */
export function RequestAccess({
  organization,
  note = '',
}: {
  organization: string
  note?: string
}) {
  const t = useWords()
  const [state, setState] = useState<'closed' | 'open' | 'sent'>('closed')
  if (state === 'sent') return <Text role="status">{t('door.request.sent')}</Text>
  return (
    <>
      <Button variant="default" onClick={() => setState('open')}>
        {t('door.request.button')}
      </Button>
      {state === 'open' && (
        <RequestDialog
          organization={organization}
          begun={note}
          onClose={() => setState('closed')}
          onSent={() => setState('sent')}
        />
      )}
    </>
  )
}

type DialogProps = { organization: string; begun: string; onClose: () => void; onSent: () => void }

function RequestDialog({ organization, begun, onClose, onSent }: DialogProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [note, setNote] = useState(begun)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const atNote = failure?.fields['note']
  const send = async () => {
    setPending(true)
    try {
      await earlyCalls.requestAccess({ body: { organization, note } })
      onSent()
    } catch (cause) {
      setFailure(errorText(cause))
      setPending(false)
    }
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('door.request.title', { id: organization })}
      verb={t('door.request.send')}
      pending={pending}
      error={atNote === undefined ? failure?.message : undefined}
      onSubmit={() => void send()}
    >
      <Textarea
        data-autofocus
        label={t('door.request.note')}
        description={t('door.request.noteHelp')}
        autosize
        minRows={3}
        maxLength={500}
        value={note}
        error={atNote}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
