import { SearchField } from '@longreach/ui/SearchField'
import { parseRange, rangeText, resolveRange } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { usualZone, weekStartOf } from '../../parts/look/time-zone.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { ExportAlarms } from './ExportAlarms.tsx'
import { PlainAlarmList } from './PlainAlarmList.tsx'
import { listState, questionOf } from './alarms-url.ts'
import { AlarmViewsMenu } from './views/AlarmViewsMenu.tsx'

const usualRange = '24h'

/** History of alarms in a time, newest first, with search and export. */
export function Component() {
  const t = useWords()
  const { locale } = useIntl()
  const [search, change] = useSearch()
  const state = listState(search)
  const range = parseRange(one(search['range']) ?? '') ?? usualRange
  const zone = usualZone()
  // It stands still, so that the list does not move while it is read.
  const [now] = useState(() => Date.now())
  const window = resolveRange(range, now, zone, weekStartOf(locale))
  const { from, to } = window
  const key = JSON.stringify(questionOf('history', state))
  const question = useMemo(
    () => ({ ...(JSON.parse(key) as ReturnType<typeof questionOf>), from, to }),
    [key, from, to],
  )
  return (
    <PlainAlarmList
      question={question}
      label={t('alarms.tab.history')}
      actions={
        <>
          <AlarmViewsMenu list="history" />
          <ExportAlarms question={question} />
        </>
      }
      none={{ title: t('alarms.noHistory'), text: t('alarms.noHistoryText') }}

      toolbar={
        <>
          <TimeRangePicker
            value={range}
            window={window}
            zone={zone}
            onChange={(next) => {
              const text = rangeText(next)
              void change({ range: text === usualRange ? undefined : text })
            }}
          />
          <SearchField
            label={t('alarms.search')}
            text={state.text}
            onText={(q) => void change({ q })}
          />
        </>
      }
    />
  )
}
