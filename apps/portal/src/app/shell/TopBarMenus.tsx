import { late } from '@longreach/ui/late'
import { useNarrow } from '@longreach/ui/use-narrow'
import { LanguageMenu, SchemeMenu } from './LookMenus.tsx'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { useSession } from '../../parts/session/session.ts'
import { UserMenu } from './UserMenu.tsx'
import { withWords } from '../../parts/words/spoken-words.ts'

const InboxLink = late(
  () => withWords(import('../../parts/inbox/InboxLink.tsx'), 'inbox'),
  'InboxLink',
)
const JobTray = late(() => withWords(import('./JobTray.tsx'), 'jobs'), 'JobTray')

/** The menus at the right of the top bar; loaded after the page has drawn. */
export function TopBarMenus({ person }: { person: boolean }) {
  const inPerson = useNarrow() && person
  return (
    <>
      {person && <JobTray />}
      {person && <OwnInbox />}
      {!inPerson && <LanguageMenu />}
      {!inPerson && <SchemeMenu />}
      {person && <UserMenu />}
    </>
  )
}

/** Messages are about alarms: without the permission to read them there is no link. */
function OwnInbox() {
  const rights = useSession()
  return mayEnter({ feature: 'iot', permissions: [['notifications:read']] }, rights) ? (
    <InboxLink />
  ) : null
}
