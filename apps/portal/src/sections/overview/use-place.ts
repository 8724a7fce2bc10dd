import { useReach } from '../../lib/reach.ts'
import { useSession } from '../../lib/session.ts'
import type { Place } from './overview-calls.ts'

export const usePlace = (): Place => ({
  org: useSession().organization.resourceId,
  reach: useReach(),
})
