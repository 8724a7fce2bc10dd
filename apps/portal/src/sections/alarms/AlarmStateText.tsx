import { useWords } from '@longreach/ui/use-words'
import {
  IconBellFilled,
  IconBellCheck,
  IconCheck,
  IconClockPause,
  IconRotate2,
  IconSend,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { type AlarmState, alarmState } from '../../parts/alarms/alarm-state.ts'
import classes from './alarm-columns.module.css'

const look = { size: 15, stroke: 1.8, 'aria-hidden': true } as const
const icons: Record<AlarmState, ReactNode> = {
  unacknowledged: <IconBellFilled {...look} />,
  acknowledged: <IconBellCheck {...look} />,
  active: <IconBellCheck {...look} />,
  overUnacknowledged: <IconBellFilled {...look} />,
  overReset: <IconRotate2 {...look} />,
  over: <IconCheck {...look} />,
  cleared: <IconCheck {...look} />,
}

type Props = { alarm: Alarm; gone?: boolean | undefined }

/** State of an alarm in plain words, with what keeps it from being acted on. */
export function AlarmStateText({ alarm, gone = false }: Props) {
  const t = useWords()
  const state = alarmState(alarm)
  const more = useMore(alarm)
  if (gone) {
    return (
      <span className={classes.state} data-state="gone">
        <IconCheck {...look} />
        <span>{t('alarms.gone')}</span>
      </span>
    )
  }
  const text = [t(`alarm.state.${state}`), more?.text].filter(Boolean).join(' · ')
  return (
    <span className={classes.state} data-state={state} title={text}>
      {more?.icon ?? icons[state]}
      <span>
        {t(`alarm.state.${state}`)}
        {more && <span className={classes.more}>{` · ${more.text}`}</span>}
      </span>
    </span>
  )
}

function useMore({ longreach }: Alarm) {
  const t = useWords()
  const { formatDate } = useIntl()
  const { shelf, suppressed, unconfirmed, command } = longreach
  if (shelf) {
    const until = formatDate(shelf.until, stamp)
    return { icon: <IconClockPause {...look} />, text: t('alarm.shelved', { until }) }
  }
  if (command) return { icon: <IconSend {...look} />, text: t(`alarm.command.${command}`) }
  if (suppressed) return { icon: <IconClockPause {...look} />, text: t('alarm.suppressed') }
  return unconfirmed ? { icon: undefined, text: t('alarm.unconfirmed') } : undefined
}

const stamp = { dateStyle: 'short', timeStyle: 'short' } as const
