import { useWords } from '@longreach/ui/use-words'
import { Select, TextInput } from '@mantine/core'
import { severitiesOf, severityNames } from '../../../parts/alarms/severity.ts'
import { writtenAttribute } from '../sentence/sentence-tokens.ts'
import { DeviceEntry } from './DeviceEntry.tsx'
import { classes } from './editor-classes.ts'
import { MatcherEntry } from './MatcherEntry.tsx'
import { fieldId, type TriggerFieldProps, useTriggerField } from './trigger-context.ts'
import type { DraftAction } from './trigger-draft.ts'
import { LongTextEntry, TextEntry } from './TriggerFields.tsx'

type ActionOf<Type extends DraftAction['type']> = Extract<DraftAction, { type: Type }>
type Scalar = string | number | boolean

const valueKinds = ['fired', 'number', 'switch', 'text'] as const
type ValueKind = (typeof valueKinds)[number]

const kindOfValue = (value: unknown): ValueKind => {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'switch'
  return typeof value === 'string' ? 'text' : 'fired'
}
const firstOf: Record<ValueKind, Scalar | undefined> = {
  fired: undefined,
  number: 0,
  switch: true,
  text: '',
}

type ValueProps = Omit<TriggerFieldProps, 'place'> & {
  place: string
  value: Scalar | undefined
  onValue: (value: Scalar | undefined) => void
}

/** Value that is written: the one that fired, or a fixed number, switch or text. */
function WrittenValue({ place, label, value, onValue }: ValueProps) {
  const t = useWords()
  const { common } = useTriggerField({ place, label })
  const kind = kindOfValue(value)
  return (
    <div className={classes.pair}>
      <Select
        {...common}
        allowDeselect={false}
        data={valueKinds.map((one) => ({ value: one, label: t(`trigger-editor.value.${one}`) }))}
        value={kind}
        onChange={(next) => onValue(firstOf[valueKinds.find((one) => one === next) ?? 'fired'])}
      />
      {kind === 'switch' && (
        <Select
          label={t('trigger-editor.fixedValue')}
          disabled={common.disabled}
          allowDeselect={false}
          data={[
            { value: 'true', label: t('live.on') },
            { value: 'false', label: t('live.off') },
          ]}
          value={String(value)}
          onChange={(next) => onValue(next === 'true')}
        />
      )}
      {(kind === 'number' || kind === 'text') && (
        <TypedValue
          kind={kind}
          value={value as number | string} // as the kind says
          onValue={onValue}
          disabled={common.disabled}
        />
      )}
    </div>
  )
}

type TypedProps = {
  kind: 'number' | 'text'
  value: number | string
  onValue: (value: Scalar) => void
  disabled: boolean
}

function TypedValue({ kind, value, onValue, disabled }: TypedProps) {
  const t = useWords()
  return (
    <TextInput
      label={t('trigger-editor.fixedValue')}
      disabled={disabled}
      maxLength={2_000}
      {...(kind === 'number' && { type: 'number', step: 'any' })}
      value={value}
      onChange={(event) => {
        const text = event.currentTarget.value
        onValue(kind === 'number' ? Number(text) : text)
      }}
    />
  )
}

type AttributeProps = { place: string; action: ActionOf<'ATTRIBUTE_ACTION'> }

/** Attribute of the device that fired, and its value. */
export function SetAttributeFields({ place, action }: AttributeProps) {
  const t = useWords()
  const { set, common } = useTriggerField({ place, label: t('trigger-editor.attribute') })
  const { name, value } = writtenAttribute(action.attribute)
  const change = (next: string, fixed: Scalar | undefined) =>
    set(fixed === undefined ? next : { name: next, value: fixed })
  return (
    <>
      <TextInput
        {...common}
        description={t('trigger-editor.attributeHelp')}
        maxLength={200}
        value={name}
        onChange={(event) => change(event.currentTarget.value, value)}
      />
      <WrittenValue
        place={`${place}.value`}
        label={t('trigger-editor.valueKind')}
        value={value}
        onValue={(next) => change(name, next)}
      />
    </>
  )
}

/** Path that is written, on which device, and the value. */
export function WriteFields({ place, action }: { place: string; action: ActionOf<'WRITE'> }) {
  const t = useWords()
  const valuePlace = `${place}.value`
  const { set } = useTriggerField({ place: valuePlace, label: '' })
  return (
    <>
      <div className={classes.pair}>
        <MatcherEntry
          place={`${place}.path`}
          label={t('trigger-editor.path')}
          help={t('trigger-editor.writePathHelp')}
        />
        <DeviceEntry
          place={`${place}.deviceId`}
          label={t('trigger-editor.writeDevice')}
          help={t('trigger-editor.writeDeviceHelp')}
        />
      </div>
      <WrittenValue
        place={valuePlace}
        label={t('trigger-editor.valueKind')}
        value={action.value}
        onValue={set}
      />
    </>
  )
}

/** Name, severity and text of the alarm that is raised. */
export function RaiseFields({ place }: { place: string }) {
  const t = useWords()
  const severityPlace = `${place}.severity`
  const { value, set, common } = useTriggerField({
    place: severityPlace,
    label: t('trigger-editor.severity'),
  })
  return (
    <>
      <div className={classes.pair}>
        <TextEntry place={`${place}.name`} label={t('trigger-editor.alarmName')} maxLength={200} />
        <Select
          {...common}
          id={fieldId(severityPlace)}
          allowDeselect={false}
          data={severityNames.map((name) => ({
            value: name,
            label: t(`alarm.severity.${name}`),
          }))}
          value={severityNames.find((name) => severitiesOf[name].includes(Number(value))) ?? null}
          onChange={(next) => {
            const name = severityNames.find((one) => one === next)
            if (name !== undefined) set(Math.min(...severitiesOf[name]))
          }}
        />
      </div>
      <LongTextEntry
        place={`${place}.text`}
        label={t('trigger-editor.alarmText')}
        help={t('trigger-editor.templateHelp')}
        maxLength={2_000}
      />
    </>
  )
}
