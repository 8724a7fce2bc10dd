import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ConditionFields } from './ConditionFields.tsx'
import { DurationField } from './DurationField.tsx'
import { rulesQuery, ruleOf, useRuleOrganization } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'
import { newLeaf } from './rule-draft.ts'
import { classes } from './rule-classes.ts'

const kinds = ['never', 'condition', 'rule'] as const

/** Suppression of the alarm by a condition, or by another alarm of the device. */
export function UnlessFields() {
  const t = useWords()
  const { rule, set, locked } = useEditing()
  const { unless } = rule
  const kind = unless === undefined ? 'never' : unless.when ? 'condition' : 'rule'
  const choose = (next: string) => {
    const delays = { onDelayMs: unless?.onDelayMs ?? 0, offDelayMs: unless?.offDelayMs ?? 0 }
    if (next === 'never') set('unless', undefined)
    else if (next === 'rule') set('unless', { ...delays, rule: '' })
    else set('unless', { ...delays, when: { ...newLeaf, op: '==', value: true } })
  }
  return (
    <div className={classes.fields}>
      <SegmentedControl
        aria-label={t('alarm-rules.part.unless')}
        disabled={locked}
        data={kinds.map((one) => ({ value: one, label: t(`alarm-rules.unlessKind.${one}`) }))}
        value={kind}
        onChange={choose}
      />
      {unless?.when && <ConditionFields place="unless.when" condition={unless.when} />}
      {kind === 'rule' && <RuleSelect />}
      {unless && (
        <div className={classes.pair}>
          <DurationField place="unless.onDelayMs" label={t('alarm-rules.unlessOnDelay')} />
          <DurationField place="unless.offDelayMs" label={t('alarm-rules.unlessOffDelay')} />
        </div>
      )}
    </div>
  )
}

function RuleSelect() {
  const t = useWords()
  const { rule, set, faultOf, locked } = useEditing()
  const { data } = useInfiniteQuery(rulesQuery(useRuleOrganization().organization, {}))
  const rules = data?.pages.flatMap((page) => page.data) ?? []
  const value = rule.unless?.rule ?? ''
  return (
    <Select
      label={t('alarm-rules.otherRule')}
      searchable
      disabled={locked}
      error={faultOf('unless.rule') ?? faultOf('unless')}
      data={rules.map((one) => ({ value: one.id, label: ruleOf(one).name }))}
      value={value === '' ? null : value}
      onChange={(next) => set('unless.rule', next ?? '')}
    />
  )
}
