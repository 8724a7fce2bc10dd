import type { auditContract } from '@longreach/audit/contract'
import type { Result } from '@longreach/kit/contract'
import { SearchField } from '@longreach/ui/SearchField'
import { rangeText, resolveRange } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Pill, Select } from '@mantine/core'
import { useAuditText } from '../../parts/audit/audit-text.ts'
import { nounOf } from '../../parts/audit/audit-nouns.ts'
import type { useSearch } from '../../parts/pages/use-search.ts'
import { type LogState, usualRange } from './log-url.ts'
import classes from './log.module.css'

export type Facets = Result<(typeof auditContract)['endpoints']['facets']>

type Props = {
  state: LogState
  moment: { now: number; zone: string; weekStart: number }
  facets: Facets | undefined
  onChange: ReturnType<typeof useSearch>[1]
}

/** Time, words, who, what and whose: each stands in the address. */
export function LogFilters({ state, moment, facets, onChange }: Props) {
  const t = useWords()
  const { thing, action } = useAuditText()
  const window = resolveRange(state.range, moment.now, moment.zone, moment.weekStart)
  const actors = new Map(facets?.actors.map(({ value }) => [value, value]))
  return (
    <>
      <TimeRangePicker
        value={state.range}
        window={window}
        zone={moment.zone}
        onChange={(range) => {
          const time = rangeText(range)
          void onChange({ time: time === usualRange ? undefined : time })
        }}
      />
      <SearchField label={t('log.search')} text={state.text} onText={(q) => void onChange({ q })} />
      <Choice
        label={t('log.filter.actor')}
        value={state.actor}
        options={[...actors.keys()].map((value) => ({ value, label: value }))}
        onChange={(actor) => void onChange({ actor })}
      />
      <Choice
        label={t('log.filter.resource')}
        value={state.resource}
        options={thingsOf(facets).map((value) => ({ value, label: thing(value) }))}
        named={thing}
        onChange={(chosen) => void onChange({ resource: chosen, target: undefined })}
      />
      <Choice
        label={t('log.filter.action')}
        value={state.action}
        options={(facets?.actions ?? []).map(({ value }) => ({ value, label: action(value) }))}
        onChange={(chosen) => void onChange({ action: chosen })}
      />
      <Checkbox
        label={t('log.below')}
        checked={state.below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
      <Checkbox
        label={t('log.preferences')}
        checked={state.preferences}
        onChange={(event) =>
          void onChange({ preferences: event.currentTarget.checked ? 'true' : undefined })
        }
      />
      {state.target !== undefined && (
        <Taken
          text={t('log.filter.target', { target: state.target })}
          onRemove={() => void onChange({ target: undefined })}
        />
      )}
      {state.ip !== undefined && (
        <Taken
          text={t('log.filter.ip', { ip: state.ip })}
          onRemove={() => void onChange({ ip: undefined })}
        />
      )}
    </>
  )
}

/** Resources of the newest entries, and nouns of things that have no permissions of their own. */
const thingsOf = (facets: Facets | undefined) => [
  ...new Set([
    ...(facets?.resources ?? []).map(({ value }) => value),
    ...(facets?.calls ?? []).flatMap(({ value }) => nounOf(value) ?? []),
  ]),
]

type Option = { value: string; label: string }
type ChoiceProps = {
  label: string
  value: string | undefined
  options: readonly Option[]
  /** Text of a value that is not among the options. */
  named?: (value: string) => string
  onChange: (value: string | undefined) => void
}

function Choice({ label, value, options, named = String, onChange }: ChoiceProps) {
  const t = useWords()
  const known = value === undefined || options.some((option) => option.value === value)
  return (
    <Select
      className={classes.choice}
      aria-label={label}
      placeholder={label}
      data={unique(known ? options : [{ value, label: named(value) }, ...options])}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      nothingFoundMessage={t('log.filter.none')}
      clearButtonProps={{ 'aria-label': t('log.filter.remove', { name: label }) }}
    />
  )
}

/** Two resources may have one word: their names tell them apart. */
const unique = (options: readonly Option[]) =>
  options.map(({ value, label }) => ({
    value,
    label: options.some((other) => other.value !== value && other.label === label)
      ? `${label} (${value})`
      : label,
  }))

function Taken({ text, onRemove }: { text: string; onRemove: () => void }) {
  const t = useWords()
  return (
    <Pill
      className={classes.taken}
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{
        'aria-label': t('log.filter.remove', { name: text }),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    >
      {text}
    </Pill>
  )
}
