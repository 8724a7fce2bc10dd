import type { Rule } from '@longreach/rules/rule'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useWrittenValue } from '../../../parts/alarms/alarm-text.ts'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { severityName } from '../../../parts/alarms/severity.ts'
import { differencesOf } from './rule-differences.ts'
import { classes } from './rule-classes.ts'
import { usePlaceLabel } from './use-place-label.ts'

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

function useFieldValue() {
  const t = useWords()
  const { locale } = useIntl()
  const written = useWrittenValue()
  const listText = (list: readonly unknown[]) => {
    if (list.length === 0) return t('rule-tools.nothing')
    const isOfObjects = list.some((one) => typeof one === 'object')
    return isOfObjects ? t('rule-tools.items', { count: list.length }) : list.join(', ')
  }
  const numberText = (place: string, value: number) => {
    if (place.endsWith('Ms')) return lengthText(value, locale)
    return place.endsWith('severity') ? t(`alarm.severity.${severityName(value)}`) : written(value)
  }
  return (place: string, value: unknown): string => {
    if (value === undefined || value === '') return t('rule-tools.nothing')
    if (typeof value === 'number') return numberText(place, value)
    if (Array.isArray(value)) return listText(value)
    return typeof value === 'object' ? t('rule-tools.several') : written(value)
  }
}
