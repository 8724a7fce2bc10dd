import { Checkbox, Group } from '@mantine/core'
import { useIntl } from 'react-intl'
import { daysText } from '../../../parts/words/days-text.ts'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'

const week = [1, 2, 3, 4, 5, 6, 0]

/** Days of the week, of which Sunday is 0; none is every day. */
export function DaysEntry(props: TriggerFieldProps) {
  const { locale } = useIntl()
  const { value, set, common } = useTriggerField(props)
  const { disabled, ...group } = common
  const days = Array.isArray(value) ? value.map(String) : []
  return (
    <Checkbox.Group
      {...group}
      value={days}
      onChange={(next) => set(next.map(Number).toSorted((one, other) => one - other))}
    >
      <Group gap="sm" mt={4}>
        {week.map((day) => (
          <Checkbox
            key={day}
            value={String(day)}
            label={daysText(String(day), locale)}
            disabled={disabled}
          />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
