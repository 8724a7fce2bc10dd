import type { Rule } from '@longreach/rules/rule'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useWrittenValue } from '../../../parts/alarms/alarm-text.ts'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { severityName } from '../../../parts/alarms/severity.ts'
import { differencesOf } from './rule-differences.ts'
import classes from './rules.module.css'

/** Differences of a version from the one before it, in words. */
export function VersionDifferences({ before, after }: { before: Rule; after: Rule }) {
  const t = useWords()
  const labelOf = usePlaceLabel()
  const written = useFieldValue()
  const differences = differencesOf(before, after)
  if (differences.length === 0) return <p className={classes.dim}>{t('rule-tools.noDifference')}</p>
  return (
    <ul className={classes.versions}>
      {differences.map((one) => (
        <li key={one.place} className={classes.dim}>
          {t('rule-tools.difference', {
            field: labelOf(one.place),
            before: written(one.place, one.before),
            after: written(one.place, one.after),
          })}
        </li>
      ))}
    </ul>
  )
}

/** Name of the field at a place of a rule, with the number of its item where it has several. */
function usePlaceLabel() {
  const t = useWords()
  const optional = useOptionalWords()
  return (place: string) => {
    const parts = place.split('.')
    const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? ''
    const label =
      optional(`rule-tools.field.${name}`) ??
      optional(`alarm-rules.${name}`) ??
      t('rule-tools.part')
    const item = /^(levels|ladder|schedule\.times)\.(\d+)/.exec(place)?.[2]
    if (place.startsWith('unless.')) return `${t('alarm-rules.part.unless')} · ${label}`
    return item === undefined ? label : `${label} ${Number(item) + 1}`
  }
}

function useFieldValue() {
  const t = useWords()
  const { locale } = useIntl()
  const written = useWrittenValue()
  return (place: string, value: unknown): string => {
    if (value === undefined || value === '') return t('rule-tools.nothing')
    if (typeof value === 'number' && /(?:Ms|\.respondWithinMs)$/.test(place))
      return lengthText(value, locale)
    if (typeof value === 'number' && place.endsWith('severity'))
      return t(`alarm.severity.${severityName(value)}`)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return t('rule-tools.several')
    if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
      return t('rule-tools.items', { count: value.length })
    if (Array.isArray(value)) return value.length === 0 ? t('rule-tools.nothing') : value.join(', ')
    return written(value)
  }
}
