import { FormDialog } from '@longreach/ui/FormDialog'
import { formatTime } from '@longreach/ui/format'
import { useToast } from '@longreach/ui/Toasts'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Select, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useIntl } from 'react-intl'
import { usualZone } from '../look/time-zone.ts'
import { useReach } from '../session/reach.ts'
import { besideForm, useErrorText } from '../words/error-text.ts'
import { alarmsApi } from './alarm-calls.ts'
import { ShelfEndFields } from './ShelfEndFields.tsx'
import { renewShelves, type ShelfReason, shelfReasons, type ShelfTarget } from './shelf-calls.ts'
import { type EndChoice, shelfEndOf } from './shelf-ends.ts'

/** Alarms by their ids, or something whose alarms are shelved, with its name. */
export type Shelved =
  | { alarms: readonly string[] }
  | { type: Exclude<ShelfTarget, 'alarm'>; id: string; name: string }

type Props = {
  /** Undefined while nothing is chosen. */
  about: Shelved | undefined
  /** Fields that choose it, where the dialog is opened on nothing. */
  renderTarget?: (isMissing: boolean) => ReactNode
  onClose: () => void
  onDone?: () => void
}

/** Dialog that shelves alarms for a time, with the reason. */
export function ShelveDialog({ about, renderTarget, onClose, onDone }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const [reason, setReason] = useState<ShelfReason>('maintenance')
  const [note, setNote] = useState('')
  const [choice, setChoice] = useState<EndChoice>({ minutes: 60 })
  const [endOnReturn, setEndOnReturn] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const shelve = useShelve(() => {
    onDone?.()
    onClose()
  })
  const [unread, setUnread] = useState(false)
  const submit = () => {
    const until = shelfEndOf(choice, Date.now())
    setUnread(until === undefined)
    setMissing(about === undefined)
    if (until !== undefined && about !== undefined)
      shelve.mutate({ about, reason, note: note.trim(), until, endOnReturn })
  }
  const failure = shelve.error ? errorText(shelve.error) : undefined
  const { at, below } = besideForm(failure, ['note', 'until'])
  return (
    <FormDialog
      title={shelfTitle(t, renderTarget ? undefined : about)}
      verb={t('alarm-shelves.shelve')}
      pending={shelve.isPending}
      error={below}
      onSubmit={submit}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{t('alarm-shelves.means')}</p>
      {renderTarget?.(isMissing && about === undefined)}
      <Select
        label={t('alarm-shelves.reason')}
        data={shelfReasons.map((one) => ({ value: one, label: t(`alarm-shelves.reason.${one}`) }))}
        value={reason}
        allowDeselect={false}
        onChange={(next) => setReason(shelfReasons.find((one) => one === next) ?? 'maintenance')}
      />
      <ShelfEndFields
        {...{ choice, endOnReturn }}
        onChoice={setChoice}
        onEndOnReturn={setEndOnReturn}
        error={unread ? t('errors.field.required') : at['until']}
      />
      <Textarea
        label={t('alarm-shelves.note')}
        description={t('alarm-shelves.noteHelp')}
        required={reason === 'other'}
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

function shelfTitle(t: Translate, about: Shelved | undefined) {
  if (about === undefined) return t('alarm-shelves.titleWide')
  return 'alarms' in about
    ? t('alarm-shelves.titleAlarms', { count: about.alarms.length })
    : t(`alarm-shelves.title.${about.type}`, { name: about.name })
}

type Given = {
  about: Shelved
  reason: ShelfReason
  note: string
  until: number
  endOnReturn: boolean
}

/** Most alarms of one call. */
const most = 1_000

function useShelve(onDone: () => void) {
  const t = useWords()
  const { locale } = useIntl()
  const toast = useToast()
  const organization = useReach()
  return useMutation({
    mutationFn: async ({ about, ...given }: Given) => {
      if (!('alarms' in about)) {
        const target = { type: about.type, id: about.id }
        await alarmsApi.createShelf({ query: { organization }, body: { target, ...given } })
        return { done: 1, skipped: 0 }
      }
      const total = { done: 0, skipped: 0 }
      for (let at = 0; at < about.alarms.length; at += most) {
        const body = { ids: about.alarms.slice(at, at + most), ...given }
        const answer = await alarmsApi.shelveAlarms({ query: { organization }, body })
        total.done += answer.done.length
        total.skipped += answer.skipped.length
      }
      return total
    },
    onSuccess: ({ done, skipped }, { until }) => {
      renewShelves()
      const time = formatTime(new Date(until), locale, usualZone())
      toast({
        message: [
          done > 0 && t('alarm-shelves.done', { count: done, time }),
          skipped > 0 && t('alarm-shelves.skipped', { count: skipped }),
        ]
          .filter(Boolean)
          .join(' '),
        ...(done === 0 && { kind: 'failed' as const }),
      })
      onDone()
    },
  })
}
