import type { Permission } from '@longreach/authorization/permissions'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { inPlace } from '../../parts/access/access-rules.ts'
import { grantedByTicket, type TicketHolder } from './permission-ticket.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import type { Session } from '../../parts/session/session.ts'

const askedEveryMs = 60_000

/**
 * The session with the rights that the person holds now: asked each minute and when the tab is looked
 * at again, so that menu and buttons follow a changed role without signing in anew; and by `askRights`,
 * which resolves to them.
 */
export function useCurrentRights(session: Session, tickets: TicketHolder) {
  const [permissions, setPermissions] = useState(session.permissions)
  const { organization } = session
  const askRights = useCallback(
    async (force: boolean) => {
      const { resourceId } = organization
      const now = inPlace(await grantedByTicket(resourceId, tickets, { force }), organization)
      setPermissions((before) => (sameAs(before, now) ? before : now))
      return { organization, permissions: now }
    },
    [organization, tickets],
  )
  useEffect(() => {
    let askedAt = Date.now() // they were just found out
    const ask = async () => {
      // The ticket in hand is good enough for who looks again at once.
      const force = Date.now() - askedAt >= askedEveryMs
      if (force) askedAt = Date.now()
      try {
        await askRights(force)
      } catch (cause) {
        reportProblem('The rights could not be asked for', cause)
      }
    }
    const looked = () => {
      if (document.visibilityState === 'visible') void ask()
    }
    // A timer may come a moment early.
    const timer = setInterval(() => void ask(), askedEveryMs + 50)
    document.addEventListener('visibilitychange', looked)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', looked)
    }
  }, [askRights])
  const current = useMemo(
    () => (permissions === session.permissions ? session : { ...session, permissions }),
    [permissions, session],
  )
  return { current, askRights }
}

const sameAs = (a: ReadonlySet<Permission>, b: ReadonlySet<Permission>) =>
  a.size === b.size && [...a].every((permission) => b.has(permission))
