import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { one, useSearch } from '../../../parts/pages/use-search.ts'

const states = ['all', 'on', 'off'] as const

/** Search, and whether triggers are on; both stand in the address. */
export function TriggerFilters() {
  const t = useWords()
  const [search, change] = useSearch()
  return (
    <>
      <SearchField
        label={t('trigger.search')}
        text={one(search['q']) ?? ''}
        onText={(text) => void change({ q: text })}
      />
      <SegmentedControl
        size="xs"
        aria-label={t('trigger.state')}
        value={states.find((state) => state === one(search['state'])) ?? 'all'}
        onChange={(state) => void change({ state: state === 'all' ? undefined : state })}
        data={states.map((value) => ({ value, label: t(`trigger.filter.${value}`) }))}
      />
    </>
  )
}
