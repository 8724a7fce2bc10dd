import { parseRange, rangeText, resolveRange } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { type AlarmQuestion, alarmsQuery } from '../../../parts/alarms/alarm-calls.ts'
import { usualZone, weekStartOf } from '../../../parts/look/time-zone.ts'
import { ListTable } from '../../../parts/pages/ListTable.tsx'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useAlarmColumns } from '../alarm-columns.tsx'
import { ExportAlarms } from '../ExportAlarms.tsx'
import type { DeviceListProps } from './DeviceOpenAlarms.tsx'

const usualRange = '7d'

/** Alarms of a device in a time, newest first, also those that are over. */
export function DeviceHistory({ deviceId, alarm, onOpen, choice }: DeviceListProps) {
  const t = useWords()
  const { locale } = useIntl()
  const [search, change] = useSearch()
  const range = parseRange(one(search['range']) ?? '') ?? usualRange
  const zone = usualZone()
  // It stands still, so that the list does not move while it is read.
  const [now] = useState(() => Date.now())
  const window = resolveRange(range, now, zone, weekStartOf(locale))
  const { from, to } = window
  const question = useMemo(
    (): AlarmQuestion => ({ kind: 'history', deviceId, from, to }),
    [deviceId, from, to],
  )
  const list = useInfiniteQuery(alarmsQuery(useReach(), question))
  const counts = list.data?.pages[0]?.counts
  return (
    <ListTable
      name="alarms-device-history"
      label={t('alarms.tab.history')}
      columns={useAlarmColumns({ history: true, device: false })}
      rows={list.data?.pages.flatMap(({ data }) => data) ?? []}
      rowId={({ id }) => id}
      total={counts?.total}
      selected={alarm}
      onOpen={({ id }) => onOpen(id)}
      list={list}
      none={{ title: t('alarms.noHistory'), text: t('alarms.noHistoryText') }}
      toolbar={
        <>
          {choice}
          <TimeRangePicker
            value={range}
            window={window}
            zone={zone}
            onChange={(next) => {
              const text = rangeText(next)
              void change({ range: text === usualRange ? undefined : text })
            }}
          />
          <ExportAlarms question={question} />
        </>
      }
      footer={
        counts && (
          <>
            <span>
              {t(counts.isExact ? 'alarms.counted' : 'alarms.countedAbout', {
                total: counts.total,
              })}
            </span>
            <span>{t('alarms.footer', { time: new Date(list.dataUpdatedAt), zone })}</span>
          </>
        )
      }
    />
  )
}
