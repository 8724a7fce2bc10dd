import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { query } from '../../parts/api/api.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { useMay, useSession } from '../../parts/session/session.ts'

/** Query of the calls of this section: the organization of the session. */
export const useOwnOrganization = () => ({ organization: useSession().organization.resourceId })

export function useRules(search: string) {
  const place = useOwnOrganization()
  return useQuery({
    ...query(notificationsApi.notifications, {
      query: { ...place, pageSize: 500, ...(search !== '' && { search }) },
    }),
    placeholderData: keepPreviousData,
  })
}

export function useChannels() {
  const place = useOwnOrganization()
  return useQuery(query(notificationsApi.channels, { query: place }))
}

export const deliveryStates = ['FAILED', 'WAITING', 'SENT', 'DROPPED'] as const
type DeliveryState = (typeof deliveryStates)[number]

/** Deliveries of a state or of all, newest first, page after page as the reader goes down. */
export function useDeliveries(state: DeliveryState | undefined) {
  const question = { ...useOwnOrganization(), pageSize: 200, ...(state && { state }) }
  return useInfiniteQuery({
    queryKey: [notificationsApi.deliveries.key, question],
    queryFn: ({ pageParam, signal }) =>
      notificationsApi.deliveries({ query: { ...question, page: pageParam } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.last ? undefined : page.number + 1),
    placeholderData: keepPreviousData,
    select: deliveriesOf,
    // Who has scrolled far down looks at the past.
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > 2 ? false : 10_000),
  })
}

type DeliveryPage = Awaited<ReturnType<typeof notificationsApi.deliveries>>

/** Rows of the pages; a new delivery moves older ones to the next page, where they come again. */
const deliveriesOf = ({ pages }: { pages: DeliveryPage[] }) => ({
  rows: [
    ...new Map(pages.flatMap(({ data }) => data.map((one) => [one.id, one] as const))).values(),
  ],
  total: pages[0]?.totalElements,
})

/** Reason for which a button may not be pressed: the permission that is missing. */
export function useMayNot(
  permission: 'notifications:create' | 'notifications:update' | 'notifications:delete',
) {
  return useMay()(permission) ? undefined : ('notifications-admin.mayNot' as const)
}

export function useEscalations() {
  const place = useOwnOrganization()
  return useQuery(query(notificationsApi.escalations, { query: place }))
}

export function useSchedules() {
  const place = useOwnOrganization()
  return useQuery({
    ...query(notificationsApi.schedules, { query: place }),
    refetchInterval: 60_000,
  })
}

/** Days that the calendar of a schedule shows. */
export const calendarDays = 28

/** Person on call now, and the turns of four weeks. */
export function useOnCall(id: string) {
  const place = useOwnOrganization()
  return useQuery({
    ...query(notificationsApi.onCallNow, {
      params: { id },
      query: { ...place, days: calendarDays },
    }),
    refetchInterval: 60_000,
  })
}
