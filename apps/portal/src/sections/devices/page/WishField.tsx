import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl, TextInput } from '@mantine/core'
import type { Tag } from '../../../lib/tags.ts'

type Props = {
  tag: Tag
  text: string
  problem: string | undefined
  onChange: (text: string) => void
}

/** The field for a new value: a switch, or a text with the limits of the model under it. */
export function WishField({ tag, text, problem, onChange }: Props) {
  const t = useWords()
  const { min, max, type } = tag
  if (type === 'boolean')
    return (
      <SegmentedControl
        aria-label={t('devices.write.value')}
        value={text}
        onChange={onChange}
        data={[
          { value: 'false', label: t('live.off') },
          { value: 'true', label: t('live.on') },
        ]}
      />
    )
  const isNumber = type === 'integer' || type === 'double'
  const limits =
    min !== undefined || max !== undefined
      ? t('devices.write.limits', { min: min ?? '−∞', max: max ?? '∞' })
      : t('devices.write.noLimits')
  return (
    <TextInput
      data-autofocus
      label={t('devices.write.value')}
      description={isNumber ? limits : undefined}
      value={text}
      inputMode={isNumber ? 'decimal' : 'text'}
      rightSection={tag.unit}
      error={problem && t(problem, { min: min ?? '', max: max ?? '' })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
