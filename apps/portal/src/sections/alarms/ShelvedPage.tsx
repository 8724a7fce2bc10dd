import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { useSearch } from '../../parts/pages/use-search.ts'
import { listState, questionOf } from './alarms-url.ts'
import { PlainAlarmList } from './PlainAlarmList.tsx'

/** Alarms that are shelved, with until when and why. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = listState(search)
  return (
    <PlainAlarmList
      question={questionOf('shelved', state)}
      label={t('alarms.tab.shelved')}
      none={{ title: t('alarms.noShelved') }}
      toolbar={
        <SearchField
          label={t('alarms.search')}
          text={state.text}
          onText={(q) => void change({ q })}
        />
      }
    />
  )
}
