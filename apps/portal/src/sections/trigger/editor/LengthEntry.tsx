import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'
import { classes } from './editor-classes.ts'

const unitMs = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const
type LengthUnit = keyof typeof unitMs
const unitNames: readonly LengthUnit[] = ['s', 'min', 'h', 'd']

/** Largest unit in which a length of time is a whole number. */
const fittingUnit = (ms: number): LengthUnit =>
  unitNames.findLast((unit) => ms > 0 && ms % unitMs[unit] === 0) ?? 's'

/** Length of time in ms, as a number and a unit; empty is none. */
export function LengthEntry(props: TriggerFieldProps) {
  const t = useWords()
  const { value, set, common } = useTriggerField(props)
  const ms = typeof value === 'number' ? value : undefined
  const [unit, setUnit] = useState(() => fittingUnit(ms ?? 0))
  return (
    <div className={classes.length}>
      <NumberInput
        {...common}
        min={0}
        allowNegative={false}
        decimalScale={3}
        allowedDecimalSeparators={['.', ',']}
        value={ms === undefined ? '' : ms / unitMs[unit]}
        onChange={(next) => set(next === '' ? undefined : Math.round(Number(next) * unitMs[unit]))}
      />
      <Select
        aria-label={t('trigger-editor.unitOf', { field: props.label })}
        allowDeselect={false}
        disabled={common.disabled}
        data={unitNames.map((one) => ({ value: one, label: t(`trigger-editor.unit.${one}`) }))}
        value={unit}
        onChange={(next) => {
          const chosen = unitNames.find((one) => one === next) ?? 's'
          setUnit(chosen)
          if (ms !== undefined) set(Math.round((ms / unitMs[unit]) * unitMs[chosen]))
        }}
      />
    </div>
  )
}
