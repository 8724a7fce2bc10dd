import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import type { Place } from './overview-calls.ts'

export const usePlace = (): Place => ({
  org: useSession().organization.resourceId,
  reach: useReach(),
})
