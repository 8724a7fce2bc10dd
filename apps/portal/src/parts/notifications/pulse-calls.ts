import type { Result } from '@longreach/kit/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../api/api.ts'
import { useSession } from '../session/session.ts'
import { notificationsApi } from './notification-calls.ts'

export type Pulse = Result<(typeof notificationsContract)['endpoints']['pulse']>

/** Interval in ms at which a page that shows the pulse asks for it. */
export const pulseEveryMs = 15_000

/** The pulse, and how far the clock of this browser is ahead of the server's, in ms. */
export function usePulse() {
  const { resourceId: organization } = useSession().organization
  const asked = useQuery({
    ...query(notificationsApi.pulse, { query: { organization } }),
    refetchInterval: pulseEveryMs,
  })
  const { data, dataUpdatedAt } = asked
  return { pulse: data, aheadMs: data ? dataUpdatedAt - data.now : 0 }
}
