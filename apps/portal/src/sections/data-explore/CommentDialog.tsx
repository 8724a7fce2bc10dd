import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { FormShell } from '@longreach/ui/FormShell'
import { formatTime } from '@longreach/ui/format'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useActorName } from '../../parts/audit/actor-name.ts'
import { api, stale } from '../../parts/api/api.ts'
import { deviceQuery } from '../../parts/devices/devices.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import { shortPath } from '../../parts/devices/tags.ts'
import shared from './data-explore.module.css'
import classes from './CommentDialog.module.css'
import type { Comment } from './use-comments.ts'

type Props = {
  comment?: Comment | undefined
  span?: { from: number; to?: number } | undefined
  devices: readonly string[]
  zone: string
  onClose: () => void
}
type Fields = { device: string; from: string; to: string; text: string }

/** A comment: read it, or write and change one's own at a time or from one time to another. */
export function CommentDialog(props: Props) {
  const { comment, onClose } = props
  const t = useWords()
  return (
    <Dialog
      size={540}
      onClose={onClose}
      title={comment ? t('data-explore.comment') : t('data-explore.addComment')}
    >
      {comment && <Written comment={comment} zone={props.zone} />}
      {comment && !comment.own ? (
        <Foreign comment={comment} onClose={onClose} />
      ) : (
        <CommentForm {...props} />
      )}
    </Dialog>
  )
}

function Written({ comment, zone }: { comment: Comment; zone: string }) {
  const nameOf = useActorName()
  const { locale } = useIntl()
  return (
    <p className={shared.dim}>
      {nameOf(comment.by)} · {formatTime(new Date(comment.madeAt), locale, zone)}
      {comment.modelPath !== null && (
        <>
          {' · '}
          <code>{shortPath(comment.modelPath)}</code>
        </>
      )}
    </p>
  )
}

type ForeignProps = Pick<Props, 'onClose'> & { comment: Comment }

/** Comment of another person: it cannot be edited, but a person who may change the device can delete it. */
function Foreign({ comment, onClose }: ForeignProps) {
  const errorText = useErrorText()
  const may = useSession().permissions.has('devices:update')
  const { remove } = useCommentChanges(comment, onClose)
  return (
    <div className={classes.stack}>
      <p className={classes.commentText}>{comment.text}</p>
      {remove.error && <ErrorPanel {...errorText(remove.error)} />}
      {may && <DeleteButton pending={remove.isPending} onDelete={() => remove.mutate()} />}
    </div>
  )
}

function DeleteButton({ pending, onDelete }: { pending: boolean; onDelete: () => void }) {
  const t = useWords()
  return (
    <Button
      variant="subtle"
      color="red"
      c="var(--mantine-color-error)"
      justify="flex-start"
      leftSection={<IconTrash size={15} />}
      loading={pending}
      onClick={onDelete}
    >
      {t('data-explore.deleteComment')}
    </Button>
  )
}

function CommentForm({ comment, span, devices, zone, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const { save, remove } = useCommentChanges(comment, onClose)
  const [fields, setFields] = useState(() => firstFields({ comment, span, devices, zone }))
  const set = (patch: Partial<Fields>) => setFields({ ...fields, ...patch })
  const error = save.error ?? remove.error
  const [tried, setTried] = useState(false)
  const missing = (text: string) =>
    tried && text.trim() === '' ? t('errors.field.required') : undefined
  const failure = error ? errorText(error) : undefined
  const { at, below } = besideForm(failure, ['text', 'at', 'until'])
  return (
    <FormShell
      verb={t('data-explore.saveComment')}
      pending={save.isPending}
      error={below}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        const saved = savedOf(fields, zone)
        if (saved) save.mutate(saved)
      }}
    >
      {devices.length > 1 && !comment && (
        <DeviceSelect
          devices={devices}
          value={fields.device}
          onChange={(device) => set({ device })}
        />
      )}
      <Textarea
        label={t('data-explore.commentText')}
        autosize
        minRows={3}
        maxLength={4000}
        value={fields.text}
        error={missing(fields.text) ?? at['text']}
        data-autofocus
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <div className={shared.pair}>
        <TextInput
          type="datetime-local"
          step={1}
          label={t('data-explore.at')}
          value={fields.from}
          error={missing(fields.from) ?? at['at']}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label={t('data-explore.until')}
          value={fields.to}
          error={isBackwards(fields) ? t('charts.endBeforeStart') : at['until']}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </div>
      <p className={shared.dim}>{t('charts.zone', { zone })}</p>
      {comment && <DeleteButton pending={remove.isPending} onDelete={() => remove.mutate()} />}
    </FormShell>
  )
}

type DeviceProps = { devices: readonly string[]; value: string; onChange: (device: string) => void }

function DeviceSelect({ devices, value, onChange }: DeviceProps) {
  const t = useWords()
  const labels = useLabels(devices)
  return (
    <Select
      label={t('data-explore.device')}
      allowDeselect={false}
      value={value}
      data={devices.map((id) => ({ value: id, label: labels.get(id) ?? id }))}
      onChange={(id) => onChange(id ?? value)}
    />
  )
}

function firstFields({ comment, span, devices, zone }: Omit<Props, 'onClose'>): Fields {
  const field = (at: number | null | undefined) =>
    at === undefined || at === null ? '' : fieldText(at, zone)
  if (comment) {
    const { deviceId: device, text, at, until } = comment
    return { device, text, from: field(at), to: field(until) }
  }
  return { device: devices[0] ?? '', text: '', from: field(span?.from), to: field(span?.to) }
}

type Saved = { deviceId: string; text: string; at: number; until: number | null }

/** Comment from the fields; undefined while the text or the time is missing, or the end is before the start. */
function savedOf({ device, text, from, to }: Fields, zone: string): Saved | undefined {
  const at = instantOfField(from, zone)
  if (at === undefined || text.trim() === '' || isBackwards({ from, to })) return undefined
  return { deviceId: device, text, at, until: instantOfField(to, zone) ?? null }
}

const isBackwards = ({ from, to }: Pick<Fields, 'from' | 'to'>) => to !== '' && to < from

function useCommentChanges(comment: Comment | undefined, onClose: () => void) {
  const t = useWords()
  const toast = useToast()
  const org = useReach()
  const done = async () => {
    await stale(api.platform.searchComments)
    onClose()
  }
  const save = useMutation({
    mutationFn: ({ deviceId, ...body }: Saved) =>
      comment
        ? api.platform.editComment({ params: { org, deviceId, id: comment.id }, body })
        : api.platform.addComment({ params: { org, deviceId }, body }),
    onSuccess: done,
  })
  const remove = useMutation({
    mutationFn: async () => {
      if (!comment) return
      const { deviceId, id, at, until, text, modelPath } = comment
      await api.platform.deleteComment({ params: { org, deviceId, id } })
      const restore = async () => {
        const body = { at, until, text, modelPath }
        await api.platform.addComment({ params: { org, deviceId }, body })
        await stale(api.platform.searchComments)
      }
      toast({
        message: t('data-explore.commentDeleted'),
        ...(comment.own && {
          action: { label: t('data-explore.undo'), run: () => void restore() },
        }),
      })
    },
    onSuccess: done,
  })
  return { save, remove }
}

function useLabels(devices: readonly string[]) {
  const org = useReach()
  const details = useQueries({ queries: devices.map((id) => deviceQuery(org, id)) })
  return new Map(
    devices.map((id, index) => [id, details[index]?.data?.value.label ?? id.slice(0, 6)]),
  )
}
