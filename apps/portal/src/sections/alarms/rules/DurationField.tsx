import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useRuleField } from './use-rule-field.ts'
import { classes } from './rule-classes.ts'

const units = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const
type Unit = keyof typeof units
const names: readonly Unit[] = ['d', 'h', 'min', 's']

/** Largest unit in which a time is a whole number. */
const largestUnit = (ms: number): Unit =>
  names.find((unit) => ms > 0 && ms % units[unit] === 0) ?? 's'

type Props = { place: string; label: string; bare?: boolean; help?: string }

/** Length of time as a number and a unit; empty is none. */
export function DurationField({ help, ...props }: Props) {
  const t = useWords()
  const { value, set, common } = useRuleField(props)
  const ms = typeof value === 'number' ? value : undefined
  const [unit, setUnit] = useState(() => largestUnit(ms ?? 0))
  return (
    <div className={classes.duration}>
      <NumberInput
        {...common}
        description={help}
        min={0}
        allowNegative={false}
        decimalScale={3}
        value={ms === undefined ? '' : ms / units[unit]}
        onChange={(next) => set(next === '' ? undefined : Math.round(Number(next) * units[unit]))}
      />
      <Select
        aria-label={t('alarm-rules.unitOfTime')}
        allowDeselect={false}
        disabled={common.disabled}
        data={names
          .toReversed()
          .map((one) => ({ value: one, label: t(`alarm-rules.unit.${one}`) }))}
        value={unit}
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => {
          const chosen = names.find((one) => one === next) ?? 's'
          setUnit(chosen)
          if (ms !== undefined) set(Math.round((ms / units[unit]) * units[chosen]))
        }}
      />
    </div>
  )
}
