import { useRouter } from '@tanstack/react-router'
import { useFeature } from '../../../parts/session/features.ts'
import type { Search } from '../../../parts/pages/section.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'

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
