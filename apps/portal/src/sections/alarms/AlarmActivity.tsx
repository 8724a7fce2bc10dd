import { formatTime } from '@longreach/ui/format'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { AlarmChange } from '../../parts/alarms/alarm-calls.ts'
import { useWrittenValue } from '../../parts/alarms/alarm-text.ts'
import { shelfReasons } from '../../parts/alarms/shelf-calls.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import classes from './AlarmActivity.module.css'

/** Kinds of changes for which there are words; another one is shown by its name. */
const kinds = [
  'raised',
  'again',
  'severity',
  'returned',
  'acknowledged',
  'reset',
  'cleared',
  'closed',
  'withdrawn',
  'restored',
  'late',
  'suppressed',
  'hidden',
  'shown',
  'shelved',
  'unshelved',
  'commented',
  'assigned',
  'ladder',
  'moved',
] as const

/** Changes of an alarm with who made them, newest first. */
export function AlarmActivity({ history }: { history: readonly AlarmChange[] }) {
  const t = useWords()
  const { locale } = useIntl()
  const written = useWrittenValue()
  return (
    <ol className={classes.list}>
      {history.toReversed().map(({ longreach, updatedAt, value }) => {
        const kind = kinds.find((one) => one === longreach.kind)
        const why = shelfReasons.find((one) => kind === 'shelved' && one === longreach.reason)
        const shown = value !== undefined && value !== null && kind === 'raised'
        return (
          <li key={longreach.n} data-kind={longreach.kind}>
            <div className={classes.head}>
              <b>{kind ? t(`alarms.change.${kind}`) : longreach.kind}</b>
              {shown && <span>{written(value)}</span>}
              {why && <span>{t(`alarm-shelves.reason.${why}`)}</span>}
              {longreach.by !== null && <span>{longreach.by}</span>}
              <span
                className={classes.time}
                title={formatTime(new Date(updatedAt), locale, usualZone())}
              >
                <RelativeTime at={updatedAt} />
              </span>
            </div>
            {longreach.comment && <p className={classes.comment}>{longreach.comment}</p>}
          </li>
        )
      })}
    </ol>
  )
}
