import { late } from '@longreach/ui/late'
import { useNarrow } from '@longreach/ui/use-narrow'
import { LanguageMenu, SchemeMenu } from './LookMenus.tsx'
import { UserMenu } from './UserMenu.tsx'
import { withWords } from '../../parts/words/spoken-words.ts'

const JobTray = late(() => withWords(import('./JobTray.tsx'), 'jobs'), 'JobTray')

/** The menus at the right of the top bar; loaded after the page has drawn. */
export function TopBarMenus({ person }: { person: boolean }) {
  const inPerson = useNarrow() && person
  return (
    <>
      {person && <JobTray />}
      {!inPerson && <LanguageMenu />}
      {!inPerson && <SchemeMenu />}
      {person && <UserMenu />}
    </>
  )
}
