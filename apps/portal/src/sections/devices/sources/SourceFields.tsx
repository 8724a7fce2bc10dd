import { useWords } from '@longreach/ui/use-words'
import { NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Draft, fieldsOf } from './source-rules.ts'
import classes from './sources.module.css'

type Props = {
  draft: Draft
  /** The gateway keeps a password for this source already. */
  hasPassword: boolean
  wrong?: { key: string; message: string }
  onChange: (draft: Draft) => void
}

/** Fields of the connection to a machine. */
export function SourceFields({ draft, hasPassword, wrong, onChange }: Props) {
  const t = useWords()
  const set = (key: string, value: unknown) => onChange({ ...draft, [key]: value })
  const errorOf = (key: string) => (wrong?.key === key ? { error: wrong.message } : {})
  const text = (key: string) => {
    const value = draft[key]
    return typeof value === 'string' ? value : ''
  }
  const fields = fieldsOf[draft.type].filter(({ when }) => when?.(draft) ?? true)
  const input = (field: (typeof fields)[number]): ReactNode => {
    const { key, kind, options, placeholder, optional } = field
    const label = t(`gateway.field.${key}`)
    const shared = { label, ...errorOf(key) }
    if (kind === 'number') {
      const value = draft[key]
      return (
        <NumberInput
          key={key}
          {...shared}
          min={0}
          allowDecimal={false}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => set(key, typeof next === 'number' ? next : undefined)}
        />
      )
    }
    if (kind === 'select')
      return (
        <Select
          key={key}
          {...shared}
          allowDeselect={false}
          data={[...(options ?? [])]}
          value={text(key) || (options?.[0] ?? null)}
          onChange={(next) => set(key, next ?? undefined)}
        />
      )
    if (kind === 'password')
      return (
        <PasswordInput
          key={key}
          {...shared}
          autoComplete="off"
          placeholder={hasPassword ? t('gateway.passwordKept') : t('gateway.optional')}
          value={text(key)}
          onChange={(event) => set(key, event.currentTarget.value)}
        />
      )
    return (
      <TextInput
        key={key}
        {...shared}
        autoComplete="off"
        placeholder={placeholder ?? (optional ? t('gateway.optional') : '')}
        value={text(key)}
        onChange={(event) => set(key, event.currentTarget.value)}
      />
    )
  }
  return (
    <div className={classes.fields}>
      <TextInput
        data-autofocus
        label={t('gateway.name')}
        value={draft.name}
        onChange={(event) => set('name', event.currentTarget.value)}
        {...errorOf('name')}
      />
      {fields.map(input)}
    </div>
  )
}
