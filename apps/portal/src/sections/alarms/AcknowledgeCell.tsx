import { useWords } from '@longreach/ui/use-words'
import { IconCheck, IconRotate2 } from '@tabler/icons-react'
import { type AlarmAction, skipOf } from '../../parts/alarms/alarm-state.ts'
import { useMay } from '../../parts/session/session.ts'
import type { AlarmRow } from './steady-rows.ts'
import classes from './alarm-columns.module.css'
import { useActOnOne } from './use-alarm-actions.ts'

const icons = { ack: IconCheck, reset: IconRotate2 }

/** The next action on an alarm: acknowledge it, then reset it where it asks for that. */
export function AcknowledgeCell({ alarm }: { alarm: AlarmRow }) {
  const t = useWords()
  const may = useMay()
  const act = useActOnOne()
  const next = nextAction(alarm)
  if (next === undefined || alarm.gone || !may(`alarms:${next}`)) return null
  const Icon = icons[next]
  return (
    <button type="button" className={classes.act} onClick={() => void act(next, alarm.id)}>
      <Icon size={14} stroke={2} aria-hidden />
      {t(`alarms.verb.${next}`)}
    </button>
  )
}

function nextAction(alarm: AlarmRow): Exclude<AlarmAction, 'clear'> | undefined {
  if (skipOf('ack', alarm) === undefined) return 'ack'
  return skipOf('reset', alarm) === undefined ? 'reset' : undefined
}
