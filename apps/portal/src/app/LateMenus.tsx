import { late } from '@longreach/ui/late'
import { Suspense } from 'react'
import { firstPageIsHere } from './coming.ts'

const TopBarMenus = late(async () => {
  await firstPageIsHere()
  return { default: (await import('./TopBarMenus.tsx')).TopBarMenus }
})

/** Language, colours and, in the portal, the person; their place is kept while their code comes. */
export function LateMenus({ person }: { person: boolean }) {
  return (
    <Suspense fallback={<span style={{ width: person ? 104 : 66, height: 32 }} />}>
      <TopBarMenus person={person} />
    </Suspense>
  )
}
