import { TableMemory } from '@longreach/ui/table-layout'
import { Toasts } from '@longreach/ui/Toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type Keycloak from 'keycloak-js'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadFeatures } from '../lib/features.ts'
import { queries } from '../lib/queries.ts'
import { inBrowser, inTab } from '../lib/remembered.ts'
import { ticketHolder } from '../lib/permission-ticket.ts'
import { type Session, SessionContext } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { forgetSelection, keepSession, ticketExchange } from './identity.ts'
import { type InitialWords, Providers } from './Providers.tsx'
import { rememberUse } from './recent-organizations.ts'
import { portalRouter } from './router.tsx'
import { useCurrentRights } from './use-current-rights.ts'

const Preferences = lazy(async () => ({
  default: (await import('./Preferences.tsx')).Preferences,
}))

/** Each person at this computer has their own columns and row heights. */
const tableMemoryOf = (subject: string) => ({
  read: (key: string) => inBrowser.get<unknown>(`${key}.${subject}`, undefined),
  write: (key: string, value: unknown) => inBrowser.set(`${key}.${subject}`, value),
})

type PortalProps = { session: Session; keycloak: Keycloak; path: string; initial: InitialWords }

/** The portal of a person in an organization. */
export function Portal({ session: begun, keycloak, path, initial }: PortalProps) {
  const [tickets] = useState(() => ticketHolder(ticketExchange(keycloak, begun.realm)))
  const session = useCurrentRights(begun, tickets)
  const [{ router, follow }] = useState(() => {
    history.replaceState(null, '', path)
    let now = begun
    const follow = (next: Session) => void (now = next)
    return { router: portalRouter(sections, () => now), follow }
  })
  const [tableMemory] = useState(() => tableMemoryOf(begun.subject))
  useEffect(() => void loadFeatures(), [])
  useEffect(() => follow(session), [follow, session])
  useEffect(() => {
    rememberUse(begun.organization.resourceId)
    keepSession(keycloak, () => {
      forgetSelection()
      inTab.set('deepLink', location.pathname + location.search)
    })
  }, [keycloak, begun])
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
