import { identityContract } from '@longreach/identity/contract'
import { recentEvents } from '@longreach/kit/events'
import { missedEvents } from '@longreach/kit/event-loops'

/** Longer than the lifetime of any access token. */
const rememberedMs = 20 * 60_000
const { sessionEnded } = identityContract.events

/** Events of the sessions that ended while a token of theirs may still be valid. */
export const recentlyEnded = (db: Parameters<typeof recentEvents>[0]) => () =>
  recentEvents(db, sessionEnded, rememberedMs)

/**
 * Identity sessions that ended while a token of theirs may still be valid. `hear` is called with
 * every event; the list is read from the bus, so that all processes have the same.
 */
export function endedSessions(
  readEnded: () => Promise<readonly { session: string }[]>,
  onError: (error: unknown) => void,
) {
  let ended: ReadonlySet<string> = new Set()
  const reads = { begun: 0, newest: 0 }
  const read = async () => {
    const mine = ++reads.begun
    const events = await readEnded()
    // A read that began before another and ends after it is older.
    if (mine < reads.newest) return
    reads.newest = mine
    ended = new Set(events.map(({ session }) => session))
  }
  return {
    has: (session: string) => ended.has(session),
    read,
    hear(happened: string) {
      if (happened === sessionEnded.topic || happened === missedEvents) read().catch(onError)
    },
  }
}
