import type { Permission } from '@longreach/authorization/permissions'
import { useEffect, useState } from 'react'
import { inPlace } from '../lib/access-rules.ts'
import { permissionsOfTicket, type TicketHolder } from '../lib/permission-ticket.ts'
import { reportProblem } from '../lib/problems.ts'
import type { Session } from '../lib/session.ts'

const askedEveryMs = 60_000

/**
 * The session with the rights that the person holds now: asked each minute and when the tab is looked
 * at again, so that menu and buttons follow a changed role without signing in anew.
 */
export function useCurrentRights(session: Session, tickets: TicketHolder): Session {
  const [permissions, setPermissions] = useState(session.permissions)
  const { organization } = session
  useEffect(() => {
    const ask = async () => {
      try {
        const { resourceId } = organization
        const { access_token: ticket } = await tickets.get(resourceId, { force: true })
        const now = inPlace(permissionsOfTicket(ticket, resourceId), organization)
        setPermissions((before) => (sameAs(before, now) ? before : now))
      } catch (cause) {
        reportProblem('The rights could not be asked for', cause)
      }
    }
    const looked = () => {
      if (document.visibilityState === 'visible') void ask()
    }
    const timer = setInterval(() => void ask(), askedEveryMs)
    document.addEventListener('visibilitychange', looked)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', looked)
    }
  }, [organization, tickets])
  return permissions === session.permissions ? session : { ...session, permissions }
}

const sameAs = (a: ReadonlySet<Permission>, b: ReadonlySet<Permission>) =>
  a.size === b.size && [...a].every((permission) => b.has(permission))
