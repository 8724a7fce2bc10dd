import { late } from '@longreach/ui/late'
import { useNarrow } from '@longreach/ui/use-narrow'
import { Suspense } from 'react'
import { needWords } from '../../parts/words/spoken-words.ts'
import { LanguageMenu, SchemeMenu } from './LookMenus.tsx'
import { UserMenu } from './UserMenu.tsx'

const JobTray = late(async () => {
  const [tray] = await Promise.all([import('./JobTray.tsx'), needWords('jobs')])
  return { default: tray.JobTray }
})

/** The menus at the right of the top bar; loaded after the page has drawn. */
export function TopBarMenus({ person }: { person: boolean }) {
  const inPerson = useNarrow() && person
  return (
    <>
      {person && (
        <Suspense fallback={null}>
          <JobTray />
        </Suspense>
      )}
      {!inPerson && <LanguageMenu />}
      {!inPerson && <SchemeMenu />}
      {person && <UserMenu />}
    </>
  )
}
