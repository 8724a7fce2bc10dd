import { useNow } from '@longreach/ui/RelativeTime'
import { PanelSection } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { IconClockHour4, IconExternalLink } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import type { Alarm } from '../../parts/alarms/alarm-calls.ts'
import { lengthText } from '../../parts/alarms/length-text.ts'
import classes from './ResponseCard.module.css'

/** Advice about an alarm: what to do, what it leads to, and how long there is. */
export function ResponseCard({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  const { response, consequence, cause, link } = alarm.longreach
  const parts = [
    { label: t('alarms.consequence'), text: consequence },
    { label: t('alarms.cause'), text: cause },
  ].filter(({ text }) => text !== '')
  if (response === '' && parts.length === 0 && link === '') return null
  return (
    <PanelSection title={t('alarms.whatToDo')} beside={<TimeLeft alarm={alarm} />}>
      {response !== '' && <p className={classes.response}>{response}</p>}
      <dl className={classes.facts}>
        {parts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {link !== '' && (
        <Anchor href={link} target="_blank" rel="noreferrer" className={classes.link}>
          <IconExternalLink size={14} stroke={1.8} aria-hidden />
          {t('alarms.instructions')}
        </Anchor>
      )}
    </PanelSection>
  )
}

/** Time in which somebody should have responded, while nobody has. */
function TimeLeft({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  const now = useNow()
  const { locale } = useIntl()
  const { respondBy } = alarm.longreach
  if (respondBy === null || alarm.ack !== 'REQUIRED') return null
  const left = respondBy - now
  return (
    <span className={classes.left} data-over={left < 0 || undefined}>
      <IconClockHour4 size={14} stroke={1.8} aria-hidden />
      {t(left < 0 ? 'alarms.lateBy' : 'alarms.left', { time: lengthText(Math.abs(left), locale) })}
    </span>
  )
}
