import { useWords } from '@longreach/ui/use-words'
import { NativeSelect, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { durationUnits, unitOf } from './policy-rules.ts'

type Props = {
  label: string
  /** In ms. */
  value: number | undefined
  error: string | undefined
  onChange: (ms: number | undefined) => void
}

/** A length of time with its unit beside it: `250 ms`, `1 s`, `5 min`. */
export function DurationInput({ label, value, error, onChange }: Props) {
  const t = useWords()
  const [unit, setUnit] = useState(() => unitOf(value))
  const size = durationUnits[unit]
  return (
    <NumberInput
      size="xs"
      label={label}
      min={0}
      value={value === undefined ? '' : value / size}
      error={error}
      onChange={(next) => onChange(next === '' ? undefined : Math.round(Number(next) * size))}
      rightSectionWidth={66}
      rightSection={
        <NativeSelect
          size="xs"
          variant="unstyled"
          aria-label={t('presets.unitOf', { label })}
          value={unit}
          data={Object.keys(durationUnits)}
          onChange={({ currentTarget }) => {
            const next = unitNamed(currentTarget.value)
            setUnit(next)
            if (value !== undefined) onChange((value / size) * durationUnits[next])
          }}
        />
      }
    />
  )
}

type Unit = ReturnType<typeof unitOf>

const unitNamed = (name: string) =>
  (Object.keys(durationUnits) as Unit[]).find((one) => one === name) ?? 'ms' // its own keys
