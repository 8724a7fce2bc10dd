import { Hint } from '@longreach/ui/Hint'
import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconCheck, IconCircleOff, IconClockPause, IconRotate2, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type AlarmAction, alarmActions } from '../../parts/alarms/alarm-state.ts'
import { useMay } from '../../parts/session/session.ts'
import classes from './AlarmSelection.module.css'
import type { AlarmRow } from './steady-rows.ts'

const ActionDialog = late(() => import('./ActionDialog.tsx'), 'ActionDialog')

const ShelveDialog = late(() => import('../../parts/alarms/ShelveDialog.tsx'), 'ShelveDialog')

const icons = { ack: IconCheck, reset: IconRotate2, clear: IconCircleOff }

type Props = { alarms: readonly AlarmRow[]; onClear: () => void }

/** Bar of the actions on the ticked alarms, over the end of the list. */
export function AlarmSelection({ alarms, onClear }: Props) {
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<AlarmAction | 'shelve'>()
  const close = () => setDoing(undefined)
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
        {alarmActions.map((action) => (
          <SelectionButton
            key={action}
            icon={icons[action]}
            name={t(`alarms.verb.${action}`)}
            reason={may(`alarms:${action}`) ? undefined : t(`alarms.mayNot.${action}`)}
            onClick={() => setDoing(action)}
          />
        ))}
        <SelectionButton
          icon={IconClockPause}
          name={t('alarm-shelves.shelve')}
          reason={may('alarms:ack') ? undefined : t('alarm-shelves.mayNot')}
          onClick={() => setDoing('shelve')}
        />
      </span>
      {doing === 'shelve' && (
        <ShelveDialog
          about={{ alarms: alarms.map(({ id }) => id) }}
          onClose={close}
          onDone={onClear}
        />
      )}
      {doing !== undefined && doing !== 'shelve' && (
        <ActionDialog action={doing} alarms={alarms} onClose={close} onDone={onClear} />
      )}
    </div>
  )
}

type ButtonProps = {
  icon: typeof IconCheck
  name: string
  /** Why it may not be pressed; undefined: it may. */
  reason: string | undefined
  onClick: () => void
}

function SelectionButton({ icon: Icon, name, reason, onClick }: ButtonProps) {
  const allowed = reason === undefined
  return (
    <Hint text={reason}>
      <button
        type="button"
        className={classes.act}
        aria-disabled={!allowed}
        onClick={() => allowed && onClick()}
      >
        <Icon size={16} stroke={1.7} aria-hidden />
        <span>{name}</span>
      </button>
    </Hint>
  )
}
