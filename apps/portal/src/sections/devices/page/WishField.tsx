import { isShownOtherwise } from '@longreach/ui/shown-unit'
import { type MessageId, useWords } from '@longreach/ui/use-words'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useLook } from '../../../parts/look/look.ts'
import type { Tag } from '../../../parts/devices/tags.ts'
import { useValueText } from '../../../parts/devices/value-text.ts'

type Props = {
  tag: Tag
  text: string
  problem: MessageId | undefined
  onChange: (text: string) => void
}

/** The field for a new value: a switch, or a text with the limits of the model under it. */
export function WishField({ tag, text, problem, onChange }: Props) {
  const t = useWords()
  const { limits, ...described } = useLimits(tag)
  const { type } = tag
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
  return (
    <TextInput
      data-autofocus
      label={t('devices.write.value')}
      description={isNumber ? described.text : undefined}
      value={text}
      inputMode={isNumber ? 'decimal' : 'text'}
      rightSection={tag.unit}
      error={problem && t(problem, { min: limits.min ?? '', max: limits.max ?? '' })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The limits of the model as they are typed; with both units, and the one of the field, where the person reads another. */
function useLimits({ min, max, unit = '' }: Tag) {
  const t = useWords()
  const valueText = useValueText()
  const isOtherwise = isShownOtherwise(unit, useLook().temperature)
  const written = (limit: number | undefined) =>
    isOtherwise && limit !== undefined
      ? `${limit}\u00a0${unit} (${valueText.text(limit, unit)})`
      : limit
  const limits = { min: written(min), max: written(max) }
  const text =
    min !== undefined || max !== undefined
      ? t('devices.write.limits', { min: limits.min ?? '−∞', max: limits.max ?? '∞' })
      : t('devices.write.noLimits')
  return {
    limits,
    text: isOtherwise ? t('devices.write.unitOfDevice', { unit, limits: text }) : text,
  }
}
