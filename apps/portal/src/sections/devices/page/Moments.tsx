import { EmptyState } from '@longreach/ui/EmptyState'
import type { TimeRange } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api } from '../../../parts/api/api.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import type { Row } from '../device-rows.ts'
import shared from './device-page.module.css'
import classes from './Moments.module.css'
import { byDay, kindsOf, type MomentGroup } from './moment-text.ts'
import { MomentRow } from './MomentRow.tsx'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

type MomentsProps = {
  device: Row
  kinds: readonly MomentGroup[]
  window: { from: number; to: number } | undefined
  /** Shows a time around a moment; absent where there is no room for it. */
  onRange?: (range: TimeRange) => void
}

/** List of a device's moments, the newest first and by day. */
export function Moments({ device, kinds, window, onRange }: MomentsProps) {
  const t = useWords()
  const intl = useIntl()
  const { zone } = useLook()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeLine(
    device.deviceId,
    kinds,
    window,
  )
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
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
          <h3 className={shared.day}>
            {intl.formatDate(some[0]?.at, { dateStyle: 'full', timeZone: zone })}
          </h3>
          <ul className={classes.moments}>
            {some.map((moment) => (
              <MomentRow
                key={moment.id}
                moment={moment}
                device={device}
                {...(onRange && { onRange })}
              />
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
