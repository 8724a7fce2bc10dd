import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useReach } from '../session/reach.ts'
import { alarmWatchQuery, worstOf } from './alarm-watch.ts'
import classes from './AlarmBadge.module.css'

/** Number of open alarms that nobody has acknowledged, in the colour of the worst, for the menu. */
export function AlarmBadge() {
  const t = useWords()
  const { formatNumber } = useIntl()
  const { data } = useQuery(alarmWatchQuery(useReach()))
  const { count, worst } = worstOf(data?.counts.bySeverity ?? [])
  if (count === 0 || worst === undefined) return null
  return (
    <span
      className={classes.badge}
      data-worst={worst}
      role="img"
      aria-label={t('alarm-sound.unacknowledged', { count })}
      title={t('alarm-sound.unacknowledged', { count })}
    >
      {count > 999 ? `${formatNumber(999)}+` : formatNumber(count)}
    </span>
  )
}
