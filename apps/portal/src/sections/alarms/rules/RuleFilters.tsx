import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Select } from '@mantine/core'
import type { useSearch } from '../../../parts/pages/use-search.ts'
import classes from './RulesPage.module.css'
import { useModelChoices } from '../../../parts/models/use-model-choices.ts'
import { modelsToChoose } from './model-filter.ts'
import { useOwnerName } from './use-owner-name.ts'

type Filters = Record<'q' | 'model' | 'modelOf' | 'enabled', string | undefined>
type FiltersProps = {
  filters: Filters
  /** Rules of organizations below are listed too. */
  below: boolean
  onChange: ReturnType<typeof useSearch>[1]
}

/** Search, model, state and organizations below; each stands in the address. */
export function RuleFilters({
  filters: { q = '', model, modelOf, enabled },
  below,
  onChange,
}: FiltersProps) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('alarm-rules.search')}
        text={q}
        onText={(next) => void onChange({ q: next })}
      />
      <ModelFilter {...{ model, modelOf }} onModel={(next) => void onChange(next)} />
      <Select
        className={classes.filter}
        aria-label={t('alarm-rules.state')}
        placeholder={t('alarm-rules.state')}
        clearable
        data={[
          { value: 'yes', label: t('alarm-rules.isOn') },
          { value: 'no', label: t('alarm-rules.isOff') },
        ]}
        value={enabled ?? null}
        onChange={(next) => void onChange({ enabled: next ?? undefined })}
      />
      <Checkbox
        label={t('rule-places.below')}
        checked={below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
    </>
  )
}

type Chosen = {
  model: string | undefined
  /** Organization that has it, where several models have the name. */
  modelOf: string | undefined
}
type FilterProps = Chosen & { onModel: (next: Chosen) => void }

function ModelFilter({ model, modelOf, onModel }: FilterProps) {
  const t = useWords()
  const nameOf = useOwnerName()
  const choices = modelsToChoose(useModelChoices(), { model, modelOf })
  const chosen = choices.find((one) => one.model === model && one.modelOf === modelOf)
  return (
    <Select
      className={classes.filter}
      aria-label={t('alarm-rules.model')}
      placeholder={t('alarm-rules.model')}
      searchable
      clearable
      data={choices.map((one) => ({
        value: one.key,
        label:
          one.modelOf === undefined
            ? one.model
            : `${one.model} · ${t('rule-places.modelOf', { organization: nameOf(one.modelOf) })}`,
      }))}
      value={chosen?.key ?? null}
      onChange={(key) => {
        const next = choices.find((one) => one.key === key)
        onModel({ model: next?.model, modelOf: next?.modelOf })
      }}
    />
  )
}
