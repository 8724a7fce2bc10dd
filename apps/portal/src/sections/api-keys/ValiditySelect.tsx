import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'

const choices = [7, 30, 90, 180, 365]

/** For how long a key can be used; never for ever. */
export function ValiditySelect({
  value,
  error,
  onChange,
}: {
  value: number
  error?: string | undefined
  onChange: (days: number) => void
}) {
  const t = useWords()
  return (
    <Select
      label={t('api-keys.validity')}
      description={t('api-keys.validityHelp')}
      allowDeselect={false}
      error={error}
      value={String(value)}
      data={choices.map((days) => ({ value: String(days), label: t('api-keys.days', { days }) }))}
      onChange={(days) => onChange(Number(days))}
    />
  )
}
