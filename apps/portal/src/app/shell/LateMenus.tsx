import { lazyFile } from '@longreach/ui/late'
import { useNarrow } from '@longreach/ui/use-narrow'
import { Suspense } from 'react'
import { firstPageIsHere } from '../start/coming.ts'

const TopBarMenus = lazyFile(async () => {
  await firstPageIsHere()
  return import('./TopBarMenus.tsx')
}, 'TopBarMenus')

/** Language, colours and, in the portal, the person; their place is kept while their code comes. */
export function LateMenus({ person }: { person: boolean }) {
  const narrow = useNarrow()
  const width = person ? (narrow ? 44 : 104) : 66
  return (
    <Suspense fallback={<span style={{ width, height: 32 }} />}>
      <TopBarMenus person={person} />
    </Suspense>
  )
}
