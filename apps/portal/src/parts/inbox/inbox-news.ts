import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { stale } from '../api/api.ts'
import { useLiveInbox, useLiveState } from '../live/live.ts'
import { notificationsApi } from '../notifications/notification-calls.ts'
import { useSession } from '../session/session.ts'

/** Interval of asking while the live socket tells changes, and while it does not. */
const everyMs = { live: 300_000, otherwise: 30_000 }

/**
 * Number of the person's unread messages, and the lists of messages with it: both follow the live socket, and are asked
 * for again when the socket comes back, as changes may have been missed.
 */
export function useUnread() {
  const organization = useSession().organization.resourceId
  const told = useLiveInbox()
  const isLive = useLiveState().name === 'live'
  const { data } = useQuery({
    queryKey: [notificationsApi.inbox.key, organization, 'unread'],
    queryFn: async ({ signal }) =>
      (await notificationsApi.inbox({ query: { organization, pageSize: 1 } }, { signal })).unread,
    refetchInterval: isLive ? everyMs.live : everyMs.otherwise,
  })
  useEffect(() => {
    if (told) void stale(notificationsApi.inbox)
  }, [told])
  useEffect(() => {
    if (isLive) void stale(notificationsApi.inbox)
  }, [isLive])
  return data
}
