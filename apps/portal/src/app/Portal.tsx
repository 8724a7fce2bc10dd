import { TableMemory } from '@longreach/ui/table-layout'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type Keycloak from 'keycloak-js'
import { useEffect, useState } from 'react'
import { queries } from '../lib/api.ts'
import { inBrowser, inTab } from '../lib/remembered.ts'
import { type Session, SessionContext } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { forgetSelection, keepSession } from './identity.ts'
import { LocalePreference } from './LocalePreference.tsx'
import { type InitialWords, Providers } from './Providers.tsx'
import { rememberUse } from './recent-organizations.ts'
import { portalRouter } from './router.tsx'

const tableMemory = {
  read: (key: string) => inBrowser.get<unknown>(key, undefined),
  write: inBrowser.set,
}

type PortalProps = { session: Session; keycloak: Keycloak; path: string; initial: InitialWords }

/** The portal of a person in an organization. */
export function Portal({ session, keycloak, path, initial }: PortalProps) {
  const [router] = useState(() => {
    history.replaceState(null, '', path)
    return portalRouter(sections, session)
  })
  useEffect(() => {
    rememberUse(session.organization.resourceId)
    keepSession(keycloak, () => {
      forgetSelection()
      inTab.set('deepLink', location.pathname + location.search)
    })
  }, [keycloak, session])
  return (
    <Providers initial={initial}>
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <TableMemory value={tableMemory}>
            <LocalePreference />
            <RouterProvider router={router} />
          </TableMemory>
        </SessionContext>
      </QueryClientProvider>
    </Providers>
  )
}
