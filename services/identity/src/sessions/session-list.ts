import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import { endSession } from './session-store.ts'

export type ListedSession = {
  id: string
  ipAddress: string
  userAgent: string
  started: Date
  lastAccess: Date
  expires: Date
  clients: string[]
}

/** Sessions of a person that have not ended, the last used first. */
export async function sessionsOf(db: Kysely<IdentityDb>, sub: string): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('oidc_record as r')
    .leftJoin('session_facts as f', (join) =>
      join.onRef('f.realm', '=', 'r.realm').onRef('f.uid', '=', 'r.uid'),
    )
    .select(['r.uid', 'r.payload', 'r.expires_at', 'f.ip', 'f.user_agent'])
    .select(['f.started_at', 'f.last_access_at'])
    .where('r.model', '=', 'Session')
    .where('r.account', '=', sub)
    .where('r.expires_at', '>', new Date())
    .execute()
  return rows
    .map(({ uid, payload, expires_at, ...facts }) => {
      const began = new Date((payload.loginTs ?? 0) * 1000)
      return {
        id: uid ?? '',
        ipAddress: facts.ip ?? '',
        userAgent: facts.user_agent ?? '',
        started: facts.started_at ?? began,
        lastAccess: facts.last_access_at ?? began,
        expires: expires_at,
        clients: Object.keys(payload.authorizations ?? {}),
      }
    })
    .toSorted((a, b) => b.lastAccess.getTime() - a.lastAccess.getTime())
}

/** End one session of a person. False when it is not theirs. */
export async function endSessionOf(
  db: Kysely<IdentityDb>,
  { realm, sub, id }: { realm: string; sub: string; id: string },
) {
  const own = await sessionsOf(db, sub)
  if (!own.some((one) => one.id === id)) return false
  await endSession(db, realm, id)
  return true
}
