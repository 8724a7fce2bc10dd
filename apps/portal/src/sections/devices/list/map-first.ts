import { useRouter } from '@tanstack/react-router'
import { useFeature } from '../../../lib/features.ts'
import type { Search } from '../../../lib/section.ts'
import { useMay, useSession } from '../../../lib/session.ts'

/** Is there a map that this person may see? */
export function useHasMap() {
  const { dataEnabled } = useSession().organization
  const may = useMay()
  const { routesByPath } = useRouter()
  return dataEnabled && may('models:read') && '/devicemap' in routesByPath
}

/** Does the map open instead of the list? Not when the address says how the list shall look. */
export function useMapFirst({ view }: Search) {
  const feature = useFeature('showMapByDefault')
  const hasMap = useHasMap()
  return hasMap && feature && view === undefined
}
