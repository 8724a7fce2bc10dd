import { useWords } from '@longreach/ui/use-words'
import { Autocomplete, Select, TextInput } from '@mantine/core'
import type { Leaf } from '@longreach/rules/rule'
import { severityName } from '../../../parts/alarms/severity.ts'
import { DurationField } from './DurationField.tsx'
import { LimitField } from './LimitField.tsx'
import { useEditing } from './rule-context.ts'
import { withOperator } from './rule-draft.ts'
import { type FieldProps, useRuleField } from './use-rule-field.ts'
import { valueAt, withAt } from '../../../parts/forms/draft-places.ts'

const operators = [
  '>',
  '>=',
  '<',
  '<=',
  '==',
  '!=',
  'inside',
  'outside',
  'contains',
  'changed',
] as const satisfies readonly Leaf['op'][]

/** Data point of a rule, of those of its model or device; another one may be typed. */
export function PathField(props: FieldProps) {
  const { paths } = useEditing()
  const { value, set, common } = useRuleField(props)
  return (
    <Autocomplete
      {...common}
      size="xs"
      data={paths.map(({ path }) => path)}
      limit={50}
      maxLength={500}
      value={typeof value === 'string' ? value : ''}
      onChange={set}
      comboboxProps={inPlace}
    />
  )
}

const inPlace = { withinPortal: false } as const

/** Comparison of a leaf; the limit of another type is taken away. */
export function OperatorField({ place, label, bare = false }: FieldProps) {
  const t = useWords()
  const { edit, rule, locked, faultOf } = useEditing()
  const leaf = leafAt(valueAt(rule, place))
  if (leaf === undefined) return null
  return (
    <Select
      {...(bare ? { 'aria-label': label } : { label })}
      error={faultOf(`${place}.op`)}
      disabled={locked}
      allowDeselect={false}
      data={operators.map((op) => ({ value: op, label: t(`alarm-rules.op.${operatorWords[op]}`) }))}
      value={leaf.op}
      comboboxProps={inPlace}
      onChange={(text) => {
        const op = operators.find((one) => one === text) ?? leaf.op
        edit((before) => {
          const present = leafAt(valueAt(before, place))
          return present ? withAt(before, place, withOperator(present, op)) : before
        })
      }}
    />
  )
}

function leafAt(value: unknown): Leaf | undefined {
  const isOne = typeof value === 'object' && value !== null && 'op' in value
  return isOne ? (value as Leaf) : undefined // what has an operator is a comparison
}

/** Names of the operators in the ids of words. */
const operatorWords = {
  '>': 'above',
  '>=': 'atLeast',
  '<': 'below',
  '<=': 'atMost',
  '==': 'equals',
  '!=': 'differs',
  inside: 'inside',
  outside: 'outside',
  contains: 'contains',
  changed: 'changed',
} as const

/** Severity of a level, by the names that people read. */
export function SeverityField(props: FieldProps) {
  const t = useWords()
  const { value, set, common } = useRuleField(props)
  const current = Number(value)
  return (
    <Select
      {...common}
      allowDeselect={false}
      data={[0, 1, 2, 3, 4, 5, 6].map((severity) => ({
        value: String(severity),
        label: `${severity} · ${t(`alarm.severity.${severityName(severity)}`)}`,
      }))}
      value={String(current)}
      comboboxProps={inPlace}
      onChange={(text) => set(Number(text))}
    />
  )
}

/** One line of text. */
export function TextField({
  maxLength,
  help,
  ...props
}: FieldProps & { maxLength: number; help?: string }) {
  const { value, set, common } = useRuleField(props)
  return (
    <TextInput
      {...common}
      description={help}
      maxLength={maxLength}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Field for what stands at a place of a rule, by the name of the place. */
export function FieldAt({ place }: { place: string }) {
  const t = useWords()
  const name = place.split('.').at(-1) ?? ''
  const above = place.slice(0, -name.length - 1)
  switch (name) {
    case 'path':
    case 'otherPath':
      return <PathField place={place} label={t('alarm-rules.path')} />
    case 'op':
      return <OperatorField place={above} label={t('alarm-rules.operator')} />
    case 'severity':
      return <SeverityField place={place} label={t('alarm-rules.severity')} />
    case 'value':
      return <LimitField place={place} label={t('alarm-rules.limit')} />
    case 'clear':
      return <LimitField place={place} label={t('alarm-rules.clear')} />
    case 'formula':
      return <TextField place={place} label={t('alarm-rules.formula')} maxLength={10_000} />
    default:
      return <DurationField place={place} label={t('alarm-rules.time')} />
  }
}
