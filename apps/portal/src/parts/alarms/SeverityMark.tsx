import { useWords } from '@longreach/ui/use-words'
import classes from './SeverityMark.module.css'
import { exclamation, severityOutlines } from './severity-shapes.ts'
import { severityName, type SeverityName } from './severity.ts'

/** Severity by shape, colour and word. */
export function SeverityMark({ severity }: { severity: number }) {
  const t = useWords()
  const name = severityName(severity)
  return (
    <span className={classes.severity} title={t('alarm.severityOf', { severity })}>
      <SeverityShape name={name} />
      <span>{t(`alarm.severity.${name}`)}</span>
    </span>
  )
}

/** Shape of a severity beside a word for it. */
export function SeverityShape({ name }: { name: SeverityName }) {
  return (
    <svg className={classes.shape} data-severity={name} viewBox="0 0 16 16" aria-hidden="true">
      <path d={severityOutlines[name]} fillRule="evenodd" />
      {name === 'critical' && <path className={classes.sign} d={exclamation} />}
    </svg>
  )
}
