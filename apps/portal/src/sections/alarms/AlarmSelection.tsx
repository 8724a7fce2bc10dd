import { Hint } from '@longreach/ui/Hint'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconCheck, IconCircleOff, IconRotate2, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type AlarmAction, alarmActions } from '../../parts/alarms/alarm-state.ts'
import { useMay } from '../../parts/session/session.ts'
import classes from './AlarmSelection.module.css'
import type { AlarmRow } from './steady-rows.ts'

const ActionDialog = late(() => import('./ActionDialog.tsx'), 'ActionDialog')

const icons = { ack: IconCheck, reset: IconRotate2, clear: IconCircleOff }

type Props = { alarms: readonly AlarmRow[]; onClear: () => void }

/** Bar of the actions on the ticked alarms, over the end of the list. */
export function AlarmSelection({ alarms, onClear }: Props) {
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<AlarmAction>()
  return (
    <div className={classes.bar} data-over-rows role="region" aria-label={t('alarms.selection')}>
      <button
        type="button"
        className={classes.clear}
        aria-label={t('alarms.clearSelection')}
        title={t('alarms.clearSelection')}
        onClick={onClear}
      >
        <IconX size={16} stroke={1.7} aria-hidden />
      </button>
      <b role="status">{t('alarms.selected', { count: alarms.length })}</b>
      <span className={classes.acts}>
        {alarmActions.map((action) => {
          const Icon = icons[action]
          const allowed = may(`alarms:${action}`)
          return (
            <Hint key={action} text={allowed ? undefined : t(`alarms.mayNot.${action}`)}>
              <button
                type="button"
                className={classes.act}
                aria-disabled={!allowed}
                onClick={() => allowed && setDoing(action)}
              >
                <Icon size={16} stroke={1.7} aria-hidden />
                <span>{t(`alarms.verb.${action}`)}</span>
              </button>
            </Hint>
          )
        })}
      </span>
      {doing && (
        <ActionDialog
          action={doing}
          alarms={alarms}
          onClose={() => setDoing(undefined)}
          onDone={onClear}
        />
      )}
    </div>
  )
}
