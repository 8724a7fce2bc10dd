import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useReach } from '../session/reach.ts'
import { besideForm, useErrorText } from '../words/error-text.ts'
import { alarmsApi } from './alarm-calls.ts'
import { ShelfEndFields } from './ShelfEndFields.tsx'
import { renewShelves, type Shelf } from './shelf-calls.ts'
import { type EndChoice, shelfEndOf, toWritten } from './shelf-ends.ts'

type Props = { shelf: Shelf; name: string; onClose: () => void }

/** Dialog that gives a shelf another end, counted from now. */
export function ChangeShelf({ shelf, name, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useReach()
  const [choice, setChoice] = useState<EndChoice>({ written: toWritten(shelf.until) })
  const [endOnReturn, setEndOnReturn] = useState(shelf.endOnReturn)
  const [note, setNote] = useState(shelf.note)
  const [unread, setUnread] = useState(false)
  const change = useMutation({
    mutationFn: (until: number) =>
      alarmsApi.changeShelf({
        params: { id: shelf.id },
        query: { organization },
        body: { until, endOnReturn, note: note.trim() },
      }),
    onSuccess: () => {
      renewShelves()
      toast({ message: t('alarm-shelves.changed') })
      onClose()
    },
  })
  const submit = () => {
    const until = shelfEndOf(choice, Date.now())
    setUnread(until === undefined)
    if (until !== undefined) change.mutate(until)
  }
  const failure = change.error ? errorText(change.error) : undefined
  const { at, below } = besideForm(failure, ['note', 'until'])
  return (
    <FormDialog
      title={t('alarm-shelves.changeTitle', { name })}
      verb={t('alarm-shelves.change')}
      pending={change.isPending}
      error={below}
      onSubmit={submit}
      onClose={onClose}
    >
      <ShelfEndFields
        {...{ choice, endOnReturn }}
        onChoice={setChoice}
        onEndOnReturn={setEndOnReturn}
        error={unread ? t('errors.field.required') : at['until']}
      />
      <Textarea
        label={t('alarm-shelves.note')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={note}
        error={at['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
