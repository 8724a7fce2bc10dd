import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Select } from '@mantine/core'
import type { useSearch } from '../../../parts/pages/use-search.ts'
import classes from './RulesPage.module.css'
import { useModelChoices } from '../../../parts/models/use-model-choices.ts'

type Filters = { q: string | undefined; model: string | undefined; enabled: string | undefined }
type FiltersProps = {
  filters: Filters
  /** Rules of organizations below are listed too. */
  below: boolean
  onChange: ReturnType<typeof useSearch>[1]
}

/** Search, model, state and organizations below; each stands in the address. */
export function RuleFilters({
  filters: { q = '', model, enabled },
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
      <ModelFilter model={model} onModel={(next) => void onChange({ model: next })} />
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

type FilterProps = { model: string | undefined; onModel: (model: string | undefined) => void }

function ModelFilter({ model, onModel }: FilterProps) {
  const t = useWords()
  const models = useModelChoices()
  return (
    <Select
      className={classes.filter}
      aria-label={t('alarm-rules.model')}
      placeholder={t('alarm-rules.model')}
      searchable
      clearable
      data={[...new Set([...models.map(({ scope }) => scope), ...(model ? [model] : [])])]}
      value={model ?? null}
      onChange={(next) => onModel(next ?? undefined)}
    />
  )
}
