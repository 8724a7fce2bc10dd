import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { parseRange, rangeText, type TimeRange } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useLook } from '../../../lib/look.ts'
import { useReach } from '../../../lib/reach.ts'
import { useWindow } from '../../../lib/use-history.ts'
import { one, useSearch } from '../../../lib/use-search.ts'
import { ChangedDuring } from './ChangedDuring.tsx'
import { CommentForm } from './CommentForm.tsx'
import type { Row } from '../device-columns.tsx'
import classes from './device-page.module.css'
import { byDay, isGroup, kindsOf, type MomentGroup, momentGroups } from './moment-text.ts'
import { MomentRow } from './MomentRow.tsx'

const groups = Object.keys(momentGroups) as MomentGroup[] // its keys are these
const groupWords: Record<MomentGroup, string> = {
  comment: 'device-page.group.comment',
  connection: 'device-page.group.connection',
  configuration: 'device-page.group.configuration',
  write: 'device-page.group.write',
  life: 'device-page.group.life',
}

/** Everything that happened to the device in one scroll, newest first, and what changed meanwhile. */
export function TimeLineTab({ device }: { device: Row }) {
  const t = useWords()
  const { zone } = useLook()
  const [search, change] = useSearch()
  const [writing, setWriting] = useState(false)
  const range = parseRange(one(search['range']) ?? '')
  const shown = (one(search['kind']) ?? '').split(',').filter(isGroup)
  const window = useWindow(range ?? '24h', zone)
  const choose = (next: TimeRange | undefined) =>
    void change({ range: next && rangeText(next) }, { push: true })
  return (
    <div className={classes.columns}>
      <Panel
        title={t('device-page.tab.timeline')}
        beside={
          <Button
            variant="default"
            leftSection={<IconMessagePlus size={15} />}
            onClick={() => setWriting(!writing)}
            aria-expanded={writing}
          >
            {t('device-page.comment.add')}
          </Button>
        }
      >
        <div className={classes.bar}>
          <TimeRangePicker value={range ?? '24h'} window={window} zone={zone} onChange={choose} />
          {range && (
            <Button variant="subtle" onClick={() => choose(undefined)}>
              {t('device-page.allTimes')}
            </Button>
          )}
        </div>
        <div className={classes.bar}>
          <KindChips shown={shown} onChange={(kinds) => void change({ kind: kinds.join(',') })} />
        </div>
        {writing && (
          <CommentForm
            deviceId={device.deviceId}
            at={range ? window.from : undefined}
            until={range && typeof range !== 'string' ? window.to : undefined}
            zone={zone}
            onClose={() => setWriting(false)}
          />
        )}
        <Moments device={device} kinds={shown} window={range && window} onRange={choose} />
      </Panel>
      <ChangedDuring device={device} window={window} />
    </div>
  )
}

type ChipsProps = { shown: readonly MomentGroup[]; onChange: (kinds: MomentGroup[]) => void }

function KindChips({ shown, onChange }: ChipsProps) {
  const t = useWords()
  const toggle = (group: MomentGroup) =>
    onChange(groups.filter((one) => (one === group) !== shown.includes(one)))
  return (
    <div className={classes.chips} role="group" aria-label={t('device-page.kinds')}>
      {groups.map((group) => (
        <button
          key={group}
          type="button"
          className={classes.chip}
          aria-pressed={shown.includes(group)}
          onClick={() => toggle(group)}
        >
          {t(groupWords[group])}
        </button>
      ))}
    </div>
  )
}

type MomentsProps = {
  device: Row
  kinds: readonly MomentGroup[]
  window: { from: number; to: number } | undefined
  onRange: (range: TimeRange) => void
}

function Moments({ device, kinds, window, onRange }: MomentsProps) {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const { zone } = useLook()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeLine(
    device.deviceId,
    kinds,
    window,
  )
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  const moments = data.pages.flatMap((page) => page.data)
  if (moments.length === 0 && !hasNextPage)
    return (
      <EmptyState
        kind={kinds.length > 0 || window ? 'filtered' : 'nothing'}
        title={t('device-page.noMoments')}
        text={t('device-page.noMomentsText')}
      />
    )
  return (
    <>
      {byDay(moments, zone).map(([day, some]) => (
        <section key={day}>
          <h3 className={classes.day}>
            {intl.formatDate(some[0]?.at, { dateStyle: 'full', timeZone: zone })}
          </h3>
          <ul className={classes.moments}>
            {some.map((moment) => (
              <MomentRow key={moment.id} moment={moment} device={device} onRange={onRange} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('device-page.older')}
        </Button>
      )}
    </>
  )
}

function useTimeLine(
  deviceId: string,
  groupsShown: readonly MomentGroup[],
  window: { from: number; to: number } | undefined,
) {
  const org = useReach()
  const kind = kindsOf(groupsShown)
  // So that a range that moves with the clock is not another question every second.
  const minute = (at: number) => Math.ceil(at / 60_000) * 60_000
  const asked = {
    ...(kind && { kind }),
    ...(window && { since: minute(window.from), to: minute(window.to) }),
  }
  return useInfiniteQuery({
    queryKey: [api.platform.timeline.key, org, deviceId, asked],
    queryFn: ({ pageParam, signal }) =>
      api.platform.timeline(
        {
          params: { org, deviceId },
          query: { ...asked, limit: 100, ...(pageParam && { before: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: (query) => (query.state.data?.pages.length === 1 ? 15_000 : false),
  })
}
