import { Page, PendingHeader } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useLocation } from '@tanstack/react-router'
import { sections } from '../sections.ts'
import { useServerReach } from '../lib/server-reach.ts'

/** Stands where a page is on its way, with its heading where that is known; while the server is away, with what it waits for. */
export function PagePending() {
  const t = useWords()
  const { reachable } = useServerReach()
  const { pathname } = useLocation()
  const list = sections.find(({ path }) => path === pathname)
  const help = reachable ? undefined : t('shell.away.waiting')
  return (
    <Page>
      {list ? (
        <PendingHeader title={t(`shell.section.${list.id}`)} help={help} />
      ) : (
        help !== undefined && <p>{help}</p>
      )}
      <ListSkeleton headed={list !== undefined} />
    </Page>
  )
}
