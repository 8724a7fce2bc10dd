import { FormShell } from '@longreach/ui/FormShell'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import { useWords } from '@longreach/ui/use-words'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, stale } from '../../../parts/api/api.ts'
import { useTags } from '../../../parts/devices/devices.ts'
import { besideForm, useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { shortPath, type Tag } from '../../../parts/devices/tags.ts'
import classes from './CommentForm.module.css'

type Props = {
  deviceId: string
  /** The comment that is changed; absent: one is made. */
  comment?: { id: string; text: string; at: number; until: number | null; path: string | null }
  at?: number | undefined
  until?: number | undefined
  zone: string
  onClose: () => void
}

type Times = { at: string; until: string }

/** Say something about the device, at a time or over a stretch of time. */
export function CommentForm({ deviceId, comment, zone, onClose, ...given }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const [text, setText] = useState(comment?.text ?? '')
  const [times, setTimes] = useState<Times>(() => firstTimes({ ...given, ...comment }, zone))
  const [tried, setTried] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  const [path, setPath] = useState(comment?.path ?? null)
  const { save, backwards, undated } = useSaving({
    deviceId,
    comment,
    zone,
    times,
    text,
    path,
    onClose,
  })
  const empty = text.trim() === ''
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['text', 'at', 'until'])
  return (
    <FormShell
      verb={t('device-page.comment.save')}
      pending={save.isPending}
      error={below}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        if (empty) area.current?.focus()
        else if (!backwards && !undated) save.mutate()
      }}
    >
      <Textarea
        ref={area}
        label={t('device-page.comment.text')}
        autosize
        minRows={2}
        maxLength={4000}
        value={text}
        error={tried && empty ? t('device-page.comment.needed') : at['text']}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <PathSelect deviceId={deviceId} value={path} onChange={setPath} />
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          step={1}
          label={t('device-page.comment.at')}
          value={times.at}
          error={tried && undated ? t('errors.field.required') : at['at']}
          onChange={(event) => setTimes({ ...times, at: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label={t('device-page.comment.until')}
          value={times.until}
          error={backwards ? t('charts.endBeforeStart') : at['until']}
          onChange={(event) => setTimes({ ...times, until: event.currentTarget.value })}
        />
      </div>
    </FormShell>
  )
}

type PathProps = {
  deviceId: string
  value: string | null
  onChange: (path: string | null) => void
}

/** The value that the comment is about, or none: then it is about the device. */
function PathSelect({ deviceId, value, onChange }: PathProps) {
  const t = useWords()
  const { tags } = useTags(deviceId, { live: false })
  const known = tags.map((tag) => ({ value: tag.path, label: pathLabel(tag) }))
  const gone = value !== null && tags.every((tag) => tag.path !== value)
  return (
    <Select
      label={t('device-page.comment.path')}
      placeholder={t('device-page.comment.pathNone')}
      data={gone ? [{ value, label: shortPath(value) }, ...known] : known}
      value={value}
      searchable
      clearable
      limit={200}
      nothingFoundMessage={t('device-page.comment.pathUnknown')}
      clearButtonProps={{ 'aria-label': t('device-page.comment.pathNone') }}
      onChange={onChange}
    />
  )
}

const pathLabel = ({ name, path }: Tag) =>
  name === shortPath(path) ? name : `${name} · ${shortPath(path)}`

type Given = { at?: number | undefined; until?: number | null | undefined }
const firstTimes = ({ at = Date.now(), until }: Given, zone: string): Times => ({
  at: fieldText(at, zone),
  until: until ? fieldText(until, zone) : '',
})

type Saving = Pick<Props, 'deviceId' | 'zone' | 'onClose'> & {
  comment: Props['comment'] | undefined
  times: Times
  text: string
  path: string | null
}

function useSaving({ deviceId, comment, zone, times, text, path, onClose }: Saving) {
  const org = useReach()
  const [start, end] = [instantOfField(times.at, zone), instantOfField(times.until, zone)]
  const save = useMutation({
    mutationFn: () => {
      const when = { ...(start !== undefined && { at: start }), until: end ?? null }
      const body = { text, modelPath: path, ...when }
      const params = { org, deviceId }
      return comment
        ? api.platform.editComment({ params: { ...params, id: comment.id }, body })
        : api.platform.addComment({ params, body })
    },
    onSuccess: async () => {
      await Promise.all([stale(api.platform.timeline), stale(api.platform.searchComments)])
      onClose()
    },
  })
  const backwards = start !== undefined && end !== undefined && end < start
  return { save, backwards, undated: start === undefined }
}
