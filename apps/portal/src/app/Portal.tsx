import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type Keycloak from 'keycloak-js'
import { useEffect, useState } from 'react'
import { queries } from '../lib/api.ts'
import { inTab } from '../lib/remembered.ts'
import { type Session, SessionContext } from '../lib/session.ts'
import { sections } from '../sections.ts'
import { forgetSelection, keepSession } from './identity.ts'
import { type InitialWords, Providers } from './Providers.tsx'
import { portalRouter } from './router.tsx'

type PortalProps = { session: Session; keycloak: Keycloak; path: string; initial: InitialWords }

/** The portal of a person in an organization. */
export function Portal({ session, keycloak, path, initial }: PortalProps) {
  const [router] = useState(() => {
    history.replaceState(null, '', path)
    return portalRouter(sections, session)
  })
  useEffect(() => {
    keepSession(keycloak, () => {
      forgetSelection()
      inTab.set('deepLink', location.pathname + location.search)
    })
  }, [keycloak])
  return (
    <Providers initial={initial}>
      <QueryClientProvider client={queries}>
        <SessionContext value={session}>
          <RouterProvider router={router} />
        </SessionContext>
      </QueryClientProvider>
    </Providers>
  )
}
