import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Textarea } from '@mantine/core'
import { IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Alarm, alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { renewAlarms } from '../../parts/alarms/alarm-news.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './AlarmActivity.module.css'

/** Field for a comment, and taking care of the alarm or leaving it to others. */
export function CommentBox({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  const may = useMay()('alarms:ack')
  const organization = useReach()
  const { username } = useSession()
  const [comment, setComment] = useState('')
  const failed = useSayFailed()
  const asked = { params: { id: alarm.id }, query: { organization } }
  const send = useMutation({
    mutationFn: () => alarmsApi.comment({ ...asked, body: { comment: comment.trim() } }),
    onSuccess: () => {
      setComment('')
      renewAlarms()
    },
    onError: failed,
  })
  const isMine = alarm.longreach.assignee === username
  const assign = useMutation({
    mutationFn: () => alarmsApi.assign({ ...asked, body: { assignee: isMine ? null : username } }),
    onSuccess: renewAlarms,
    onError: failed,
  })
  if (!may) return null
  return (
    <div className={classes.box}>
      <Textarea
        aria-label={t('alarms.comment')}
        placeholder={t('alarms.writeComment')}
        autosize
        minRows={1}
        maxLength={2_000}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="compact-sm"
          loading={assign.isPending}
          leftSection={
            isMine ? (
              <IconUserMinus size={14} stroke={1.8} />
            ) : (
              <IconUserPlus size={14} stroke={1.8} />
            )
          }
          onClick={() => assign.mutate()}
        >
          {t(isMine ? 'alarms.unassign' : 'alarms.takeOver')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          loading={send.isPending}
          disabled={comment.trim() === ''}
          onClick={() => send.mutate()}
        >
          {t('alarms.addComment')}
        </Button>
      </div>
    </div>
  )
}

function useSayFailed() {
  const toast = useToast()
  const errorText = useErrorText()
  return (error: Error) => toast({ kind: 'failed', message: errorText(error).message })
}
