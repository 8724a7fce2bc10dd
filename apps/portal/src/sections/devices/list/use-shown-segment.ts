import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { useSession } from '../../../parts/session/session.ts'

/** The name of the segment that the list shows; undefined where it shows none. */
export function useShownSegment({ segment, below }: ListState) {
  const org = useSession().organization.resourceId
  const asked = { organization: below ? `${org}.*` : org, counts: true }
  const { data } = useQuery({
    ...query(api.mappings.segments, { query: asked }),
    enabled: segment !== undefined,
  })
  return data?.data.find(({ id }) => id === segment)?.name
}
