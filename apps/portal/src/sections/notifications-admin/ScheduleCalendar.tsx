import { daysOf } from '@longreach/calendar/days'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { Turn } from '../../parts/notifications/notification-calls.ts'
import { calendarDays } from './admin-calls.ts'
import classes from './on-call.module.css'

/** Colours of people beside their names. */
const colors = ['blue', 'teal', 'violet', 'orange', 'pink', 'cyan', 'lime', 'grape'].map(
  (name) => `var(--mantine-color-${name}-6)`,
)

type Props = { turns: readonly Turn[]; zone: string }

/** Four weeks of a schedule, a day in each line; gaps stand out by word and colour. */
export function ScheduleCalendar({ turns, zone }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const [first] = turns
  if (!first) return null
  const { dayAt, startOf } = daysOf(zone)
  const begin = dayAt(first.from)
  const people = [...new Set(turns.flatMap(({ person }) => person ?? []))].toSorted()
  const colorOf = (person: string) => colors[people.indexOf(person) % colors.length]
  const date = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: zone })
  return (
    <ol className={classes.days}>
      {Array.from({ length: calendarDays }, (_, index) => begin + index).map((day) => {
        const [from, to] = [startOf(day), startOf(day + 1)]
        const parts = turnParts(turns, from, to)
        return (
          <li key={day} className={classes.day} data-week={isMonday(day) || undefined}>
            <span className={classes.date}>{date.format(from)}</span>
            <span className={classes.bar}>
              {parts.map((part) => {
                const person = part.person ?? t('on-call.nobody')
                const said = t('on-call.turn', {
                  person,
                  from: time.format(part.from),
                  to: time.format(part.to),
                })
                return (
                  <span
                    key={part.from}
                    className={classes.turn}
                    data-gap={part.person === null || undefined}
                    title={said}
                    style={{
                      flex: `${part.to - part.from} 1 0`,
                      ...(part.person !== null && { '--turn-color': colorOf(part.person) }),
                    }}
                  >
                    {part.from === from ? person : `${time.format(part.from)} ${person}`}
                  </span>
                )
              })}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const isMonday = (day: number) => (day + 3) % 7 === 0 // 1970-01-01 was a Thursday

/** Turns within a day, cut at its ends. */
function turnParts(turns: readonly Turn[], from: number, to: number) {
  return turns
    .filter((turn) => turn.from < to && turn.to > from)
    .map(({ person, ...turn }) => ({
      person,
      from: Math.max(turn.from, from),
      to: Math.min(turn.to, to),
    }))
}
