import { late } from '@longreach/ui/late'
import { TableMemory } from '@longreach/ui/table-layout'
import { Toasts } from '@longreach/ui/Toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { Rights } from '../../parts/access/access-rules.ts'
import { loadFeatures } from '../../parts/session/features.ts'
import { queries, refusal } from '../../parts/api/queries.ts'
import { inBrowser } from '../../parts/kept/remembered.ts'
import type { TicketHolder } from '../session/permission-ticket.ts'
import { type Session, SessionContext } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'
import type { Identity } from '../session/identity.ts'
import { lostOn } from '../session/refused.ts'
import { useSessionEnd } from '../session/use-session-end.ts'
import { type InitialWords, Providers } from './Providers.tsx'
import { rememberUse } from '../switcher/recent-organizations.ts'
import { portalRouter } from '../shell/router.tsx'
import { sectionNames } from '../shell/section-names.ts'
import { useCurrentRights } from '../session/use-current-rights.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

const Preferences = late(() => import('../session/Preferences.tsx'), 'Preferences')

const SessionCover = late(
  () => withWords(import('../session/SessionCover.tsx'), 'session'),
  'SessionCover',
)

/** Each person at this computer has their own columns and row heights. */
const tableMemoryOf = (subject: string) => ({
  read: (key: string) => inBrowser.get<unknown>(`${key}.${subject}`, undefined),
  write: (key: string, value: unknown) => inBrowser.set(`${key}.${subject}`, value),
})

type PortalProps = {
  session: Session
  identity: Identity
  tickets: TicketHolder
  path: string
  initial: InitialWords
}

/** The portal of a person in an organization. */
export function Portal({ session: begun, identity, tickets, path, initial }: PortalProps) {
  const { current, askRights } = useCurrentRights(begun, tickets)
  const { ended, endsAt, back, leave } = useSessionEnd(begun, identity)
  const session = useMemo(() => ({ ...current, endsAt }), [current, endsAt])
  const [{ router, follow }] = useState(() => {
    history.replaceState(null, '', path)
    let now = begun
    const follow = (next: Session) => void (now = next)
    return { router: portalRouter(sections, () => now), follow }
  })
  const [tableMemory] = useState(() => tableMemoryOf(begun.subject))
  useEffect(() => void loadFeatures(), [])
  useEffect(() => {
    const lost = (rights: Rights) => lostOn(router.state.matches, rights) !== undefined
    follow(current)
    // A page that the person may not open any more stays as it is, and says so.
    if (current !== begun && !lost(current)) void router.invalidate()
    refusal.staysOpen = async () => lost(current) || lost(await askRights(true))
  }, [askRights, begun, current, follow, router])
  useEffect(() => rememberUse(begun.organization.resourceId), [begun])
  return (
    <Providers initial={initial} names={sectionNames}>
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <TableMemory value={tableMemory}>
            <Preferences />
            <Toasts>
              <RouterProvider router={router} />
            </Toasts>
            {ended && (
              <SessionCover
                ending={ended}
                identity={identity}
                username={begun.username}
                subject={begun.subject}
                onBack={back}
                onLeave={leave}
              />
            )}
          </TableMemory>
        </SessionContext>
      </QueryClientProvider>
    </Providers>
  )
}
