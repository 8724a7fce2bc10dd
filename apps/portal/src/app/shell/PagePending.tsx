import { Page, PendingHeader } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useLocation } from '@tanstack/react-router'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { sections } from '../../sections.ts'
import { useServerReach } from '../../parts/api/server-reach.ts'

/** Stands where a page is on its way, with its heading where that is known; while the server is away, with what it waits for. */
export function PagePending() {
  const t = useWords()
  const { reachable } = useServerReach()
  const { pathname } = useLocation()
  const list = sections.find(({ path }) => path === pathname)
  const help = reachable ? undefined : t('shell.away.waiting')
  const thing = list === undefined && reachable ? sectionOf(pathname) : undefined
  if (thing) return <DetailPending to={thing.path} section={thing.id} shape={{ tabs: 4 }} />
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

/** The list that the page of one thing belongs to; absent for pages with an address of their own. */
function sectionOf(pathname: string) {
  if (sections.some(({ pages }) => pages.some(({ path }) => path === pathname))) return undefined
  return sections.find(({ pages }) =>
    pages.some(({ path }) => {
      const [list = '', ...rest] = path.split('$')
      const things = list.split('/').length
      return rest.length > 0 && pathname.startsWith(list) && pathname.split('/').length === things
    }),
  )
}
