import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type AlarmAction, skipOf } from '../../parts/alarms/alarm-state.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { AlarmRow } from './steady-rows.ts'
import classes from './ActionDialog.module.css'
import { useActOn } from './use-alarm-actions.ts'
import { useClearLater } from './use-clear-later.ts'
import { useSkipped } from './use-skipped.ts'

type Props = {
  action: AlarmAction
  alarms: readonly AlarmRow[]
  onClose: () => void
  onDone: () => void
}

/** Dialog of an action on several alarms: how many it changes, how many it leaves and why, and a note. */
export function ActionDialog({ action, alarms, onClose, onDone }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const skippedText = useSkipped()
  const act = useActOn()
  const clearLater = useClearLater()
  const [comment, setComment] = useState('')
  const skipped = alarms.flatMap((alarm) => skipOf(action, alarm) ?? [])
  const hits = alarms.length - skipped.length
  const run = useMutation({
    mutationFn: async () => {
      const ids = alarms.map(({ id }) => id)
      if (action === 'clear') clearLater(hits, () => act('clear', ids, comment.trim()))
      else await act(action, ids, comment.trim())
    },
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t(`alarms.title.${action}`, { count: alarms.length })}
      verb={t(`alarms.verbOn.${action}`, { count: hits })}
      pending={run.isPending}
      error={run.error ? errorText(run.error).message : undefined}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      {skipped.length > 0 && (
        <ul className={classes.skipped}>
          {skippedText(skipped).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {action === 'clear' && <p className={classes.note}>{t('alarms.clearMeans')}</p>}
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
