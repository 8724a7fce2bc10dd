import { EmptyState } from '@longreach/ui/EmptyState'
import { formatTime } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { Tag } from '@longreach/ui/StatusDot'
import { endsNow, parseRange, rangeText, type TimeWindow } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords, type MessageId } from '@longreach/ui/use-words'
import { Button, Switch } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, query } from '../../../parts/api/api.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useWindow } from '../../../parts/history/use-history.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './DeviceLogTab.module.css'
import { useRefusalText } from './use-refusal-text.ts'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

const step = 200

/** Tab of the device's log messages, and of its values that were rejected. */
export function DeviceLogTab({ device }: { device: Row }) {
  const t = useWords()
  const { zone } = useLook()
  const [search, change] = useSearch()
  const showSystem = one(search['system']) === 'true'
  const range = parseRange(one(search['range']) ?? '') ?? '24h'
  const window = useWindow(range, zone)
  return (
    <Panel title={t('device-page.tab.log')} beside={<span className={shared.dim}>{zone}</span>}>
      <div className={shared.bar}>
        <TimeRangePicker
          value={range}
          window={window}
          zone={zone}
          onChange={(next) => void change({ range: rangeText(next) })}
        />
        <Switch
          label={t('device-page.showSystem')}
          checked={showSystem}
          onChange={(event) =>
            void change({ system: event.currentTarget.checked ? 'true' : undefined })
          }
        />
      </div>
      <Found
        deviceId={device.deviceId}
        showSystem={showSystem}
        window={window}
        following={endsNow(range)}
        zone={zone}
      />
    </Panel>
  )
}

type Asked = { deviceId: string; showSystem: boolean; window: TimeWindow; following: boolean }

function Found({ zone, ...asked }: Asked & { zone: string }) {
  const t = useWords()
  const [limit, setLimit] = useState(step)
  const { data, error, refetch } = useLog(asked, limit)
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
  if (data.length === 0) return <Nothing showSystem={asked.showSystem} />
  return (
    <>
      <Entries entries={data} zone={zone} />
      {data.length >= limit && (
        <Button variant="subtle" onClick={() => setLimit(limit + step)}>
          {t('device-page.older')}
        </Button>
      )}
    </>
  )
}

function useLog({ deviceId, showSystem, window, following }: Asked, limit: number) {
  const org = useReach()
  return useQuery({
    ...query(api.platform.deviceLog, {
      params: { org, deviceId },
      query: {
        showSystem,
        fromTimestamp: minute(window.from),
        ...(!following && { toTimestamp: window.to }),
        limit,
      },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: following && 10_000,
  })
}

function Nothing({ showSystem }: { showSystem: boolean }) {
  const t = useWords()
  const [, change] = useSearch()
  return (
    <EmptyState
      kind="nothing"
      title={t('device-page.logNone')}
      text={t(showSystem ? 'device-page.logNoneText' : 'device-page.logNoneUsual')}
      {...(!showSystem && {
        action: (
          <Button variant="default" onClick={() => void change({ system: 'true' })}>
            {t('device-page.showSystem')}
          </Button>
        ),
      })}
    />
  )
}

/** So that a range that moves with the clock is not another question every second. */
const minute = (at: number) => Math.floor(at / 60_000) * 60_000

type Entry = Awaited<ReturnType<typeof api.platform.deviceLog>>[number]

function Entries({ entries, zone }: { entries: readonly Entry[]; zone: string }) {
  const t = useWords()
  const { locale } = useIntl()
  return (
    <ol className={classes.log} aria-label={t('device-page.tab.log')}>
      {entries.map((entry) => (
        <li key={entry.id} className={shared.logEntry}>
          <time dateTime={new Date(entry.at).toISOString()}>
            {formatTime(new Date(entry.at), locale, zone)}
          </time>
          <span>
            <Tag tone={entry.level === 'warning' ? 'warning' : 'off'}>
              {t(kindWords[entry.kind] ?? 'device-page.log.message')}
            </Tag>
          </span>
          <span className={shared.detail}>
            <Detail entry={entry} />
          </span>
        </li>
      ))}
    </ol>
  )
}

const kindWords: Record<string, MessageId> = {
  rejected: 'device-page.log.rejected',
  value: 'device-page.log.written',
  introspection: 'device-page.log.introspection',
  emptyCache: 'device-page.log.emptyCache',
  configuration: 'device-page.log.configuration',
  availableTags: 'device-page.log.availableTags',
  more: 'device-page.log.more',
}

function Detail({ entry }: { entry: Entry }) {
  const t = useWords()
  const refusalText = useRefusalText()
  if (entry.kind === 'more')
    return <>{t('device-page.log.moreText', { count: entry.count ?? 0 })}</>
  return (
    <>
      {entry.reason && <span>{refusalText(entry)}</span>}
      {entry.value !== undefined && entry.value !== '' && (
        <code>{typeof entry.value === 'string' ? entry.value : JSON.stringify(entry.value)}</code>
      )}
      {entry.topic && (
        <code className={shared.dim} title={entry.head ?? undefined}>
          {entry.topic}
        </code>
      )}
    </>
  )
}
