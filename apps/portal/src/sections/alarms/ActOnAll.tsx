import { ActionButton } from '@longreach/ui/ActionButton'
import { ActionMenuItem } from '@longreach/ui/ActionMenuItem'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu, Textarea } from '@mantine/core'
import { IconChecks, IconCircleOff, IconDots, IconRotate2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlarmAction } from '../../parts/alarms/alarm-state.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import classes from './ActionDialog.module.css'
import { filterOf, isFiltered, type ListState } from './alarms-url.ts'
import { allCalls, useSayActed, useSayTask } from './use-alarm-actions.ts'
import { useClearLater } from './use-clear-later.ts'

type Props = {
  state: ListState
  total: number | undefined
  /** Time of the list by the clock of the server. */
  at: number | undefined
}

/** Buttons that acknowledge, reset and clear all open alarms, or all that the filters find. */
export function ActOnAll({ state, total, at }: Props) {
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<Doing>()
  const shown = isFiltered(state)
  // What is asked about is what was seen: the list goes on while the dialog is open.
  const ask = (action: AlarmAction) => setDoing({ action, total: total ?? 0, at: at ?? 0 })
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
        onClick={() => ask('ack')}
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
            onClick={() => ask('reset')}
          >
            {t(shown ? 'alarm-acts.resetFiltered' : 'alarm-acts.resetAll')}
          </ActionMenuItem>
          <ActionMenuItem
            reason={reasonOf('clear')}
            leftSection={<IconCircleOff size={16} stroke={1.8} />}
            onClick={() => ask('clear')}
          >
            {t(shown ? 'alarm-acts.clearFiltered' : 'alarm-acts.clearAll')}
          </ActionMenuItem>
        </Menu.Dropdown>
      </Menu>
      {doing && <AllDialog {...doing} state={state} onClose={() => setDoing(undefined)} />}
    </>
  )
}

type Doing = { action: AlarmAction; total: number; at: number }
type DialogProps = Doing & { state: ListState; onClose: () => void }

/** Question before an action on all, which names their number; clearing needs a comment. */
function AllDialog({ action, state, total, at, onClose }: DialogProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [comment, setComment] = useState('')
  const [isTried, setTried] = useState(false)
  const run = useOnAll(action, { state, at, total, comment, onDone: onClose })
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

type Asked = { state: ListState; at: number; total: number; comment: string; onDone: () => void }

/** Acts on everything that the filters find, by one call; of more than 1,000 alarms the list of tasks tells the progress. */
function useOnAll(action: AlarmAction, { state, at, total, comment, onDone }: Asked) {
  const organization = useReach()
  const say = useSayActed()
  const sayTask = useSayTask()
  const clearLater = useClearLater()
  const act = async () => {
    const text = comment.trim()
    const body = { applyOnlyToVisibleValue: true, ...filterOf(state, at) }
    const answer = await allCalls[action]({
      query: { organization },
      body: { ...body, ...(text && { comment: text }) },
    })
    if (answer.jobId === null) say(action, answer)
    else sayTask(action, answer.total)
  }
  return useMutation({
    // A clear can be taken back for some seconds; what comes meanwhile is not cleared.
    mutationFn: async () => (action === 'clear' ? clearLater(total, act) : act()),
    onSuccess: onDone,
  })
}
