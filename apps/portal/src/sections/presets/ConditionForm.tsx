import { useWords } from '@longreach/ui/use-words'
import {
  Button,
  CloseButton,
  NumberInput,
  SegmentedControl,
  Select,
  TextInput,
} from '@mantine/core'
import type { Condition } from './preset-tree-rules.ts'
import classes from './presets.module.css'

type Props = {
  conditions: Condition | undefined
  onChange: (next: { conditions: Condition | undefined }) => void
}

const isGroup = (one: Condition) => one.type === 'and' || one.type === 'or'

/** Bands in which, or outside of which, values are sent; all of them or any. Groups inside of groups stay. */
export function ConditionForm({ conditions, onChange }: Props) {
  const t = useWords()
  const kind = conditions && isGroup(conditions) ? conditions.type : 'and'
  const operands = !conditions
    ? []
    : isGroup(conditions)
      ? (conditions.operands ?? [])
      : [conditions]
  const put = (next: readonly Condition[], type = kind) => {
    const [only] = next
    const whole = next.length > 1 || type !== kind ? { type, operands: next } : only
    onChange({ conditions: next.length === 0 ? undefined : whole })
  }
  const fresh = { type: 'inband', low: 0, high: 100 }
  return (
    <div className={classes.stack}>
      {operands.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('presets.conditions')}
          value={kind}
          onChange={(type) => put(operands, type)}
          data={[
            { value: 'and', label: t('presets.allOf') },
            { value: 'or', label: t('presets.anyOf') },
          ]}
        />
      )}
      {operands.map((one, place) => (
        <Band
          // oxlint-disable-next-line react/no-array-index-key -- a band has nothing of its own to be told by
          key={place}
          band={one}
          onChange={(next) => put(operands.with(place, next))}
          onRemove={() => put(operands.filter((_, index) => index !== place))}
        />
      ))}
      <Button size="compact-xs" variant="default" onClick={() => put([...operands, fresh])}>
        {t('presets.addCondition')}
      </Button>
    </div>
  )
}

type BandProps = { band: Condition; onChange: (next: Condition) => void; onRemove: () => void }

function Band({ band, onChange, onRemove }: BandProps) {
  const t = useWords()
  const remove = (
    <CloseButton size="xs" aria-label={t('presets.removeCondition')} onClick={onRemove} />
  )
  if (isGroup(band)) {
    return (
      <p className={classes.bar}>
        {t('presets.groupKept', { count: band.operands?.length ?? 0 })}
        {remove}
      </p>
    )
  }
  const number = (key: 'low' | 'high') => (
    <NumberInput
      size="xs"
      label={t(`presets.field.${key}`)}
      value={Number(band[key])}
      onChange={(value) => onChange({ ...band, [key]: Number(value) })}
    />
  )
  return (
    <section className={classes.trigger} aria-label={t('presets.condition')}>
      <header>
        <Select
          size="xs"
          aria-label={t('presets.condition')}
          allowDeselect={false}
          data={(['inband', 'outband'] as const).map((value) => ({
            value,
            label: t(`presets.band.${value}`),
          }))}
          value={band.type}
          onChange={(type) => onChange({ ...band, type: type ?? 'inband' })}
        />
        {remove}
      </header>
      <div className={classes.pair}>
        {number('low')}
        {number('high')}
      </div>
      <TextInput
        size="xs"
        label={t('presets.field.tagName')}
        value={String(band['tagName'] ?? '')}
        onChange={(event) => {
          const { tagName: _before, ...rest } = band
          const tagName = event.currentTarget.value
          onChange(tagName === '' ? rest : { ...rest, tagName })
        }}
      />
    </section>
  )
}
