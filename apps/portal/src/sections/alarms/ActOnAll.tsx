import { FormDialog } from '@longreach/ui/FormDialog'
import { ActionButton } from '@longreach/ui/ActionButton'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Textarea } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { allAlarms } from '../../parts/alarms/alarm-calls.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './ActionDialog.module.css'
import { isFiltered, type ListState, questionOf } from './alarms-url.ts'
import { allCalls, useActOn, useSayActed } from './use-alarm-actions.ts'

type Props = { state: ListState; total: number | undefined }

/** Button that acknowledges all open alarms, or all that the filters find. */
export function ActOnAll({ state, total }: Props) {
  const t = useWords()
  const may = useMay()('alarms:ack')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('alarms.mayNot.ack')}
        idle={!total}
        variant="default"
        leftSection={<IconChecks size={16} stroke={1.8} />}
        onClick={() => setOpened(true)}
      >
        {t(isFiltered(state) ? 'alarms.ackFiltered' : 'alarms.ackAll')}
      </ActionButton>
      {opened && <AllDialog state={state} total={total ?? 0} onClose={() => setOpened(false)} />}
    </>
  )
}

type DialogProps = { state: ListState; total: number; onClose: () => void }

function AllDialog({ state, total, onClose }: DialogProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [comment, setComment] = useState('')
  const run = useAcknowledgeAll(state, comment, onClose)
  return (
    <FormDialog
      title={t('alarms.title.ack', { count: total })}
      verb={t('alarms.verb.ack')}
      pending={run.isPending}
      error={run.error ? errorText(run.error).message : undefined}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <p className={classes.note}>
        {t(isFiltered(state) ? 'alarms.ackFilteredMeans' : 'alarms.ackAllMeans', { total })}
      </p>
      <Textarea
        label={t('alarms.comment')}
        description={t('alarms.commentHelp')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Acknowledges everything by one call, or by the ids of what the filters find. */
function useAcknowledgeAll(state: ListState, comment: string, onDone: () => void) {
  const t = useWords()
  const toast = useToast()
  const organization = useReach()
  const act = useActOn()
  const say = useSayActed()
  return useMutation({
    mutationFn: async () => {
      if (isFiltered(state)) {
        const found = await allAlarms(organization, questionOf('open', state))
        return act(
          'ack',
          found.map(({ id }) => id),
          comment.trim(),
        )
      }
      const answer = await allCalls.ack({
        query: { organization },
        body: {
          applyOnlyToVisibleValue: false,
          ...(comment.trim() && { comment: comment.trim() }),
        },
      })
      if (answer.jobId === null) say('ack', answer)
      else toast({ message: t('alarms.continues', { total: answer.total }) })
    },
    onSuccess: onDone,
  })
}
