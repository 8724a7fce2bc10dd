import { identityContract } from '@longreach/identity/contract'
import { missedEvents } from '@longreach/kit/serve'
import type { Pool } from 'pg'

/** Longer than the lifetime of any access token. */
const remembered = '20 minutes'
const { topic } = identityContract.events.sessionEnded

/**
 * Identity sessions that ended while a token of theirs may still be valid. `hear` is called with
 * every event; the list is read from the event table, so that all processes have the same.
 */
export function endedSessions(pool: Pool, onError: (error: unknown) => void) {
  let ended: ReadonlySet<string> = new Set()
  const reads = { begun: 0, newest: 0 }
  const read = async () => {
    const mine = ++reads.begun
    const { rows } = await pool.query<{ session: string }>(
      `select payload->>'session' as session from bus.event
       where topic = $1 and at > now() - interval '${remembered}'`,
      [topic],
    )
    // A read that began before another and ends after it is older.
    if (mine < reads.newest) return
    reads.newest = mine
    ended = new Set(rows.map(({ session }) => session))
  }
  return {
    has: (session: string) => ended.has(session),
    read,
    hear(happened: string) {
      if (happened === topic || happened === missedEvents) read().catch(onError)
    },
  }
}
