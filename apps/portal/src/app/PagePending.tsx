import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useServerReach } from '../lib/server-reach.ts'

/** Stands where a page is on its way; while the server is away, with what it waits for. */
export function PagePending() {
  const t = useWords()
  const { reachable } = useServerReach()
  return (
    <>
      {!reachable && <p>{t('shell.away.waiting')}</p>}
      <ListSkeleton />
    </>
  )
}
