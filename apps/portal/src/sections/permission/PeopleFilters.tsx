import { late } from '@longreach/ui/late'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import type { FiltersProps } from './PeopleChoices.tsx'

const PeopleChoices = late(() => import('./PeopleChoices.tsx'), 'PeopleChoices')

/** Filters of the list of people; all of it is in the address. */
export function PeopleFilters({ state, onChange }: FiltersProps) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('permission.search')}
        text={state.text}
        onText={(q) => void onChange({ q })}
      />
      <PeopleChoices state={state} onChange={onChange} />
    </>
  )
}
