import { useEffect, useEffectEvent, useState } from 'react'
import { queries } from '../../parts/api/queries.ts'
import { inTab } from '../../parts/kept/remembered.ts'
import type { Session } from '../../parts/session/session.ts'
import { forgetSelection, type Identity, watchLater } from './identity.ts'
import { keepSession } from './keep-session.ts'
import {
  awaitSignIn,
  type Ending,
  latestEnd,
  type OpenEnding,
  sayAtSignIn,
  staysOpen,
} from './session-end.ts'
import { stopWatching } from './watch-session.ts'

/**
 * The end of the session while the portal is open. A page that was left alone stays under a cover until
 * the person signs in again; ended on purpose, the portal is left for the sign-in page.
 */
export function useSessionEnd(session: Session, identity: Identity) {
  const { organization, username, impersonator, endsAt } = session
  const [over, setOver] = useState<{ ending: OpenEnding; signedIn: () => void }>()
  const [end, setEnd] = useState(endsAt)
  const leaveFor = (ending: Ending) => {
    forgetSelection()
    const back = new URL(location.href)
    back.searchParams.set('org', organization.resourceId)
    inTab.set('deepLink', back.pathname + back.search)
    sayAtSignIn(identity, { ending, username })
  }
  const ended = useEffectEvent((ending: Ending) => {
    if (identity.signedIn !== undefined) return
    if (impersonator === undefined && staysOpen(ending)) {
      stopWatching(identity.keycloak)
      setOver({ ending, signedIn: awaitSignIn(identity) })
    } else leaveFor(ending)
  })
  useEffect(() => keepSession(identity, (ending) => ended(ending)), [identity])
  const back = () => {
    const { keycloak, place } = identity
    over?.signedIn()
    setOver(undefined)
    if (!place.external) setEnd(latestEnd(keycloak.idTokenParsed, keycloak.tokenParsed))
    watchLater(identity)
    void queries.invalidateQueries()
  }
  const leave = () => {
    if (over === undefined) return
    over.signedIn()
    leaveFor(over.ending)
    void identity.keycloak.login()
  }
  return { ended: over?.ending, endsAt: end, back, leave }
}
