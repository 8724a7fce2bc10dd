import { late } from '@longreach/ui/late'
import { TableMemory } from '@longreach/ui/table-layout'
import { Toasts } from '@longreach/ui/Toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { loadFeatures } from '../lib/features.ts'
import { queries } from '../lib/queries.ts'
import { inBrowser, inTab } from '../lib/remembered.ts'
import type { TicketHolder } from '../lib/permission-ticket.ts'
import { type Session, SessionContext } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { forgetSelection, type Identity } from './identity.ts'
import { keepSession } from './keep-session.ts'
import { sayAtSignIn } from './session-end.ts'
import { type InitialWords, Providers } from './Providers.tsx'
import { rememberUse } from './recent-organizations.ts'
import { portalRouter } from './router.tsx'
import { useCurrentRights } from './use-current-rights.ts'

const Preferences = late(async () => ({
  default: (await import('./Preferences.tsx')).Preferences,
}))

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
  const session = useCurrentRights(begun, tickets)
  const [{ router, follow }] = useState(() => {
    history.replaceState(null, '', path)
    let now = begun
    const follow = (next: Session) => void (now = next)
    return { router: portalRouter(sections, () => now), follow }
  })
  const [tableMemory] = useState(() => tableMemoryOf(begun.subject))
  useEffect(() => void loadFeatures(), [])
  useEffect(() => {
    follow(session)
    // Who lost the right to the open page is sent home.
    if (session !== begun) void router.invalidate()
  }, [begun, follow, router, session])
  useEffect(() => {
    rememberUse(begun.organization.resourceId)
    keepSession(identity, (ending) => {
      forgetSelection()
      const back = new URL(location.href)
      back.searchParams.set('org', begun.organization.resourceId)
      inTab.set('deepLink', back.pathname + back.search)
      sayAtSignIn(identity, { ending, username: begun.username })
    })
  }, [identity, begun])
  return (
    <Providers initial={initial}>
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <TableMemory value={tableMemory}>
            <Suspense fallback={null}>
              <Preferences />
            </Suspense>
            <Toasts>
              <RouterProvider router={router} />
            </Toasts>
          </TableMemory>
        </SessionContext>
      </QueryClientProvider>
    </Providers>
  )
}
