import { SearchField } from '@longreach/ui/SearchField'
import { rangeText, type TimeWindow } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import type { useSearch } from '../../parts/pages/use-search.ts'
import { usualRange } from './log-url.ts'
import type { WholeLogState } from './whole-log-url.ts'
import classes from './log.module.css'

type Props = {
  state: WholeLogState
  window: TimeWindow
  zone: string
  onChange: ReturnType<typeof useSearch>[1]
}

/** Time, words, person, device and whose: each stands in the address. */
export function WholeLogFilters({ state, window, zone, onChange }: Props) {
  const t = useWords()
  return (
    <>
      <TimeRangePicker
        value={state.range}
        window={window}
        zone={zone}
        onChange={(range) => {
          const time = rangeText(range)
          void onChange({ time: time === usualRange ? undefined : time })
        }}
      />
      <SearchField
        label={t('whole-log.search')}
        text={state.text}
        onText={(q) => void onChange({ q })}
      />
      <SearchField
        wide
        className={classes.choice}
        label={t('whole-log.person')}
        text={state.person}
        onText={(person) => void onChange({ person })}
      />
      <SearchField
        wide
        className={classes.choice}
        label={t('whole-log.fact.device')}
        text={state.device}
        onText={(device) => void onChange({ device })}
      />
      <Checkbox
        label={t('log.below')}
        checked={state.below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
    </>
  )
}
