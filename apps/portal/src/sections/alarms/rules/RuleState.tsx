import type { Rule } from '@longreach/rules/rule'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { splitFaults } from '../../../parts/forms/unfilled.ts'
import type { Issue } from './rule-calls.ts'
import { usePlaceLabel } from './use-place-label.ts'

type Props = {
  rule: Rule
  /** Faults of the rule; undefined while they are not known. */
  issues: readonly Issue[] | undefined
}

/** Fields that are still to be filled in, and the number of those that are filled in wrongly. */
export function RuleState({ rule, issues }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const labelOf = usePlaceLabel()
  if (issues === undefined) return t('alarm-rules.checking')
  if (issues.length === 0) return t('alarm-rules.ready')
  const { unfilled, wrong } = splitFaults(rule, issues)
  const labels = new Set(unfilled.map(({ place }) => labelOf(namedPlace(place, rule))))
  const list = new Intl.ListFormat(locale, { type: 'unit' }).format(labels)
  return [
    ...(labels.size > 0 ? [t('alarm-rules.toFill', { list })] : []),
    ...(wrong.length > 0 ? [t('alarm-rules.faults', { count: wrong.length })] : []),
  ].join(' ')
}

/** Place by whose name people know a field: the model or device, and of one level alone its limit. */
function namedPlace(place: string, { scope, levels }: Rule) {
  if (place.startsWith('scope')) return 'model' in scope ? 'model' : 'device'
  return levels.length === 1 ? place.replace('levels.0.', '') : place
}
