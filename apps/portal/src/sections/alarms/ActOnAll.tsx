import { ActionButton } from '@longreach/ui/ActionButton'
import { ActionMenuItem } from '@longreach/ui/ActionMenuItem'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu, Textarea } from '@mantine/core'
import { IconChecks, IconCircleOff, IconDots, IconRotate2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { allAlarms } from '../../parts/alarms/alarm-calls.ts'
import type { AlarmAction } from '../../parts/alarms/alarm-state.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './ActionDialog.module.css'
import { isFiltered, type ListState, questionOf } from './alarms-url.ts'
import { allCalls, useActOn, useSayActed } from './use-alarm-actions.ts'
import { useClearLater } from './use-clear-later.ts'

type Props = { state: ListState; total: number | undefined }

/** Buttons that acknowledge, reset and clear all open alarms, or all that the filters find. */
export function ActOnAll({ state, total }: Props) {
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<AlarmAction>()
  const shown = isFiltered(state)
  const reasonOf = (action: AlarmAction) => {
    if (!may(`alarms:${action}`)) return t(`alarms.mayNot.${action}`)
    return total ? undefined : t('alarms.none')
  }
  return (
    <>
      <ActionButton
        reason={may('alarms:ack') ? undefined : t('alarms.mayNot.ack')}
        idle={!total}
        variant="default"
        leftSection={<IconChecks size={16} stroke={1.8} />}
        onClick={() => setDoing('ack')}
      >
        {t(shown ? 'alarms.ackFiltered' : 'alarms.ackAll')}
      </ActionButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('alarm-acts.more')}>
            <IconDots size={16} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionMenuItem
            reason={reasonOf('reset')}
            leftSection={<IconRotate2 size={16} stroke={1.8} />}
            onClick={() => setDoing('reset')}
          >
            {t(shown ? 'alarm-acts.resetFiltered' : 'alarm-acts.resetAll')}
          </ActionMenuItem>
          <ActionMenuItem
            reason={reasonOf('clear')}
            leftSection={<IconCircleOff size={16} stroke={1.8} />}
            onClick={() => setDoing('clear')}
          >
            {t(shown ? 'alarm-acts.clearFiltered' : 'alarm-acts.clearAll')}
          </ActionMenuItem>
        </Menu.Dropdown>
      </Menu>
      {doing && (
        <AllDialog
          action={doing}
          state={state}
          total={total ?? 0}
          onClose={() => setDoing(undefined)}
        />
      )}
    </>
  )
}

type DialogProps = { action: AlarmAction; state: ListState; total: number; onClose: () => void }

/** Question before an action on all, which names their number; clearing needs a comment. */
function AllDialog({ action, state, total, onClose }: DialogProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [comment, setComment] = useState('')
  const [isTried, setTried] = useState(false)
  const run = useOnAll(action, { state, comment, onDone: onClose })
  const isMissing = action === 'clear' && comment.trim() === ''
  const means = isFiltered(state) ? 'filtered' : 'all'
  return (
    <FormDialog
      title={t(`alarms.title.${action}`, { count: total })}
      verb={t(`alarms.verb.${action}`)}
      pending={run.isPending}
      error={run.error ? errorText(run.error).message : undefined}
      dangerous={action === 'clear'}
      onSubmit={() => {
        setTried(true)
        if (!isMissing) run.mutate()
      }}
      onClose={onClose}
    >
      <p className={classes.note}>{t(`alarm-acts.means.${action}.${means}`, { total })}</p>
      {action === 'clear' && <p className={classes.note}>{t('alarms.clearMeans')}</p>}
      <Textarea
        label={t('alarms.comment')}
        description={action === 'clear' ? t('alarm-acts.commentNeeded') : t('alarms.commentHelp')}
        required={action === 'clear'}
        error={isTried && isMissing && t('alarm-acts.commentMissing')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

type Asked = { state: ListState; comment: string; onDone: () => void }

/** Acts on everything by one call, or by the ids of what the filters find. */
function useOnAll(action: AlarmAction, { state, comment, onDone }: Asked) {
  const t = useWords()
  const toast = useToast()
  const organization = useReach()
  const act = useActOn()
  const say = useSayActed()
  const clearLater = useClearLater()
  return useMutation({
    mutationFn: async () => {
      const text = comment.trim()
      // What is cleared is what was seen: the ids of now, also without a filter.
      if (isFiltered(state) || action === 'clear') {
        const found = await allAlarms(organization, questionOf('open', state))
        const ids = found.map(({ id }) => id)
        if (action === 'clear') clearLater(ids, text)
        else await act(action, ids, text)
        return
      }
      const answer = await allCalls[action]({
        query: { organization },
        body: { applyOnlyToVisibleValue: false, ...(text && { comment: text }) },
      })
      if (answer.jobId === null) say(action, answer)
      else toast({ message: t(`alarm-acts.continues.${action}`, { total: answer.total }) })
    },
    onSuccess: onDone,
  })
}
