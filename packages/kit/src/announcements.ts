import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'

/** PostgreSQL channel that announces new events and jobs. */
export const busChannel = 'longreach_bus'

/** The commit of an announcement waits for no disk and no standby: consumers look each second themselves. */
const announcement = {
  name: 'kit-announcement',
  text: `select pg_notify($1, topic) from unnest($2::text[]) topic, set_config('synchronous_commit', 'off', true)`,
}

/** Shortest time between two announcements; the first one after a pause is at once. */
const pauseMs = 5

/** Announcements of a process after its commits, one statement at a time with all that came since the last one. */
export function createAnnouncer(pool: Pool, failed: (error: Error) => void) {
  const waiting = new Set<string>()
  let busy: Promise<void> | undefined
  const announceAll = async () => {
    while (waiting.size > 0) {
      const values = [busChannel, [...waiting]]
      waiting.clear()
      await pool.query({ ...announcement, values }).catch(failed)
      await wait(pauseMs)
    }
    busy = undefined
  }
  return {
    announce(topics: ReadonlySet<string>) {
      for (const topic of topics) waiting.add(topic)
      busy ??= announceAll()
    },
    settled: async () => busy,
  }
}
