import { useWords } from '@longreach/ui/use-words'
import { Checkbox, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'

/** One line of text. */
export function TextEntry(props: TriggerFieldProps & { maxLength: number; mono?: boolean }) {
  const { value, set, common } = useTriggerField(props)
  return (
    <TextInput
      {...common}
      maxLength={props.maxLength}
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Several lines of text. */
export function LongTextEntry(props: TriggerFieldProps & { maxLength: number }) {
  const { value, set, common } = useTriggerField(props)
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={10}
      maxLength={props.maxLength}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

type NumberProps = TriggerFieldProps & { least?: number; whole?: boolean; always?: boolean }

/** Number; empty is none, or zero where there always is one. */
export function NumberEntry({ least, whole = false, always = false, ...props }: NumberProps) {
  const { value, set, common } = useTriggerField(props)
  return (
    <NumberInput
      {...common}
      {...(least !== undefined && { min: least, allowNegative: least < 0 })}
      allowDecimal={!whole}
      allowedDecimalSeparators={['.', ',']}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => {
        if (next === '' || next === '-') set(always ? (least ?? 0) : undefined)
        else set(Number(next))
      }}
    />
  )
}

/** Secret that is never shown: what is typed replaces the one that the server keeps. */
export function SecretEntry({ isKept, ...props }: TriggerFieldProps & { isKept: boolean }) {
  const t = useWords()
  const { value, set, common } = useTriggerField(props)
  return (
    <TextInput
      {...common}
      type="password"
      autoComplete="new-password"
      maxLength={4_000}
      placeholder={isKept ? t('trigger-editor.secretKept') : undefined}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

type ChoiceProps = TriggerFieldProps & {
  options: readonly { value: string; label: string; disabled?: boolean }[]
}

/** One of several values. */
export function ChoiceEntry({ options, ...props }: ChoiceProps) {
  const { value, set, common } = useTriggerField(props)
  return (
    <Select
      {...common}
      allowDeselect={false}
      data={[...options]}
      value={String(value)}
      onChange={(next) => set(next ?? options[0]?.value)}
    />
  )
}

/** Yes or no, as a box to tick. */
export function TickEntry(props: TriggerFieldProps) {
  const { value, set, common } = useTriggerField(props)
  return (
    <Checkbox
      {...common}
      checked={value === true}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}

/** Yes or no, as a switch. */
export function SwitchEntry({ isOff = false, ...props }: TriggerFieldProps & { isOff?: boolean }) {
  const { value, set, common } = useTriggerField(props)
  const stands = value === true
  return (
    <Switch
      {...common}
      checked={isOff ? !stands : stands}
      onChange={(event) => set(isOff ? !event.currentTarget.checked : event.currentTarget.checked)}
    />
  )
}
