import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Select, TextInput } from '@mantine/core'
import { relativePath } from '@longreach/formula/paths'
import type { Rule } from '@longreach/rules/rule'
import { useEditing } from './rule-context.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'
import { useRuleField } from './use-rule-field.ts'
import { classes } from './rule-classes.ts'
import type { RulePath } from './use-rule-paths.ts'

type Props = { place: string; label: string; bare?: boolean }

/** Limit of a comparison: a number, both ends of a band, a text, or on and off, by the data point. */
export function LimitField(props: Props) {
  const t = useWords()
  const { rule, paths } = useEditing()
  const { value, set, common } = useRuleField(props)
  const { op, path } = comparisonOf(rule, props.place)
  const { type, unit } = knownPath(path, paths)
  const suffix = unit === undefined ? {} : { suffix: `\u00a0${unit}` }
  if (op === 'inside' || op === 'outside') return <BandField {...props} {...suffix} />
  const isClear = props.place.endsWith('clear')
  const isOrdered = isClear || ['>', '>=', '<', '<='].includes(op)
  if (isOrdered || (type !== 'boolean' && type !== 'string')) {
    return (
      <NumberInput
        {...common}
        {...suffix}
        allowDecimal
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => set(next === '' || next === '-' ? undefined : Number(next))}
      />
    )
  }
  if (type === 'boolean') {
    return (
      <Select
        {...common}
        data={[
          { value: 'true', label: t('live.on') },
          { value: 'false', label: t('live.off') },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => set(next === null ? undefined : next === 'true')}
      />
    )
  }
  return (
    <TextInput
      {...common}
      maxLength={500}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

function BandField({ suffix, ...props }: Props & { suffix?: string }) {
  const t = useWords()
  const { value, set, common } = useRuleField(props)
  const band: readonly unknown[] = Array.isArray(value) ? value : []
  const ends = [band[0], band[1]].map((end) => (typeof end === 'number' ? end : 0))
  const { disabled, error } = common
  return (
    <div className={classes.band}>
      {ends.map((end, index) => (
        <NumberInput
          // The ends have no other name than their order.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          label={t(index === 0 ? 'alarm-rules.lowest' : 'alarm-rules.highest')}
          disabled={disabled}
          error={index === 0 ? error : error !== undefined}
          {...(suffix !== undefined && { suffix })}
          value={end}
          onChange={(next) => set(ends.map((one, at) => (at === index ? Number(next) : one)))}
        />
      ))}
    </div>
  )
}

/** Operator and path that a limit belongs to: those of its comparison, or of the condition for a level. */
function comparisonOf(rule: Rule, place: string) {
  const above = place.startsWith('levels.') ? 'when' : place.split('.').slice(0, -1).join('.')
  const [op, path] = [valueAt(rule, `${above}.op`), valueAt(rule, `${above}.path`)]
  return { op: typeof op === 'string' ? op : '>', path: typeof path === 'string' ? path : '' }
}

/** Type and unit of a path; an index stands for any. */
function knownPath(path: string, paths: readonly RulePath[]): Partial<RulePath> {
  const any = (one: string) => relativePath(one).replaceAll(/\[\d+\]/g, '[*]')
  return paths.find((one) => one.path === path || any(one.path) === any(path)) ?? {}
}
