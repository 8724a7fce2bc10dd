import { useWords } from '@longreach/ui/use-words'
import {
  ActionIcon,
  Button,
  Fieldset,
  NumberInput,
  Select,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import { browserZone } from '../../parts/look/time-zone.ts'
import classes from './on-call.module.css'
import { type LayerDraft, newLayer } from './schedule-draft.ts'

type Props = {
  layers: LayerDraft[]
  faultOf: (layer: number) => string | undefined
  onChange: (layers: LayerDraft[]) => void
}

/** Layers of a schedule: people who take turns. */
export function LayerFields({ layers, faultOf, onChange }: Props) {
  const t = useWords()
  return (
    <>
      {layers.length > 1 && (
        <Text size="sm" c="dimmed">
          {t('on-call.layersHelp')}
        </Text>
      )}
      {layers.map((layer, place) => (
        <Layer
          key={layer.key}
          {...{ layer, place, fault: faultOf(place) }}
          onChange={(part) =>
            onChange(layers.map((one) => (one === layer ? { ...one, ...part } : one)))
          }
          onRemove={() => onChange(layers.filter((one) => one !== layer))}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.add}
        leftSection={<IconPlus size={14} stroke={2} />}
        disabled={layers.length >= 20}
        onClick={() => {
          const key = Math.max(-1, ...layers.map((one) => one.key)) + 1
          onChange([...layers, newLayer(key, browserZone())])
        }}
      >
        {t('on-call.addLayer')}
      </Button>
    </>
  )
}

type LayerProps = {
  layer: LayerDraft
  place: number
  fault: string | undefined
  onChange: (part: Partial<LayerDraft>) => void
  onRemove: () => void
}

function Layer({ layer, place, fault, onChange, onRemove }: LayerProps) {
  const t = useWords()
  return (
    <Fieldset
      className={classes.box}
      legend={
        <span className={classes.legend}>
          {t('on-call.layer', { n: place + 1 })}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('on-call.removeLayer', { n: place + 1 })}
            onClick={onRemove}
          >
            <IconTrash size={15} stroke={1.7} />
          </ActionIcon>
        </span>
      }
    >
      <TagsInput
        label={t('on-call.people')}
        description={t('on-call.peopleHelp')}
        value={layer.people}
        error={fault}
        onChange={(people) => onChange({ people })}
      />
      <RotationFields layer={layer} onChange={onChange} />
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          required
          label={t('on-call.from')}
          value={layer.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={t('on-call.to2')}
          value={layer.to}
          onChange={(event) => onChange({ to: event.currentTarget.value })}
        />
      </div>
    </Fieldset>
  )
}

function RotationFields({ layer, onChange }: Pick<LayerProps, 'layer' | 'onChange'>) {
  const t = useWords()
  const { locale } = useIntl()
  const { format } = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  return (
    <div className={classes.pair}>
      <NumberInput
        label={t('on-call.every')}
        value={layer.count}
        min={1}
        max={52}
        allowDecimal={false}
        onChange={(count) => onChange({ count: Number(count) || 1 })}
      />
      <Select
        label={t('on-call.unit')}
        allowDeselect={false}
        data={[
          { value: 'days', label: t('on-call.days') },
          { value: 'weeks', label: t('on-call.weeksUnit') },
        ]}
        value={layer.unit}
        onChange={(unit) => onChange({ unit: unit === 'days' ? 'days' : 'weeks' })}
      />
      {layer.unit === 'weeks' && (
        <Select
          label={t('on-call.handOverDay')}
          allowDeselect={false}
          data={[1, 2, 3, 4, 5, 6, 0].map((day) => ({
            value: String(day),
            // The 4th of January 1970 was a Sunday.
            label: format(new Date((3 + day) * 86_400_000)),
          }))}
          value={layer.day}
          onChange={(day) => onChange({ day: day ?? '1' })}
        />
      )}
      <TextInput
        type="time"
        required
        label={t('on-call.handOverTime')}
        value={layer.time}
        onChange={(event) => onChange({ time: event.currentTarget.value })}
      />
    </div>
  )
}
