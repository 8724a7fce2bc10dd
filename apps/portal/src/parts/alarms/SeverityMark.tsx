import { useWords } from '@longreach/ui/use-words'
import type { ReactNode } from 'react'
import classes from './SeverityMark.module.css'
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
      {shapes[name]}
    </svg>
  )
}

const exclamation = (
  <path
    className={classes.sign}
    d="M7.1 3.8h1.8l-.3 5H7.4ZM8 9.9a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Z"
  />
)
const shapes: Record<SeverityName, ReactNode> = {
  critical: (
    <>
      <path d="M5 .6h6L15.4 5v6L11 15.4H5L.6 11V5Z" />
      {exclamation}
    </>
  ),
  high: <path d="M8 .4 15.6 8 8 15.6.4 8Z" />,
  medium: <path d="M8 1.4 15.5 14.6H.5Z" />,
  low: <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="3" />,
  info: <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" strokeWidth="2.4" />,
}
