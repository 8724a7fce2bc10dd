import { useQuery } from '@tanstack/react-query'
import type { ListState } from '../../../parts/devices/device-filters.ts'
import { segmentsQuery } from '../device-calls.ts'
import { useSession } from '../../../parts/session/session.ts'

/** The name of the segment that the list shows; undefined where it shows none. */
export function useShownSegment({ segment, below }: ListState) {
  const org = useSession().organization.resourceId
  const { data } = useQuery({
    ...segmentsQuery({ below }, org),
    enabled: segment !== undefined,
  })
  return data?.data.find(({ id }) => id === segment)?.name
}
