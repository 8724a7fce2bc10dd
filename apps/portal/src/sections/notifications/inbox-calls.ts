import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { stale } from '../../parts/api/api.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { useSession } from '../../parts/session/session.ts'

/** Messages of the person, newest first, page after page as the reader goes down. */
export const inboxQuery = (organization: string, unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [notificationsApi.inbox.key, organization, unread],
    queryFn: ({ pageParam: next, signal }) =>
      notificationsApi.inbox(
        {
          query: {
            organization,
            pageSize: 100,
            ...(unread && { unread: true }),
            ...(next !== '' && { next }),
          },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

/** Function that marks messages as read: those of the ids, or all. */
export function useMarkRead() {
  const organization = useSession().organization.resourceId
  return async (ids?: string[]) => {
    await notificationsApi.readInbox({ query: { organization }, body: ids ? { ids } : {} })
    await stale(notificationsApi.inbox)
  }
}
