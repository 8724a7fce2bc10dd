import type { Pool } from 'pg'

/** PostgreSQL channel that announces new events. */
export const busChannel = 'longreach_bus'

/** Announcers of this process: one for each database that it serves. */
const announcers = new Set<(topic: string, xid: string) => void>()

/**
 * Announces events of `topic` to all processes once the transaction `xid` has committed. A notify in that
 * transaction would hold a lock of the whole database through its commit, one commit after another.
 */
export function announceAfterCommit(topic: string, xid: string) {
  for (const add of announcers) add(topic, xid)
}

const soonestMs = 2
const latestMs = 20

/** Announces those that have ended, and answers which ones. One whose end is long forgotten counts as well. */
const announce = {
  name: 'kit-announce-events',
  text: `select topic, xid::text, pg_notify($3, topic) from unnest($1::text[], $2::xid8[]) as given(topic, xid)
    where case when xid < pg_snapshot_xmax(pg_current_snapshot())
      then pg_xact_status(xid) is distinct from 'in progress' else false end`,
}
type Ended = { topic: string; xid: string }

/** Announces what this process publishes, to the processes of this database. */
export function startAnnouncing(pool: Pool, failed: (error: unknown) => void) {
  const waiting = new Map<string, Set<string>>()
  let delayMs = soonestMs
  let timer: NodeJS.Timeout | undefined
  let busy = Promise.resolve()

  const look = async () => {
    const pairs = [...waiting].flatMap(([xid, topics]) => [...topics].map((topic) => [topic, xid]))
    const values = [pairs.map(([topic]) => topic), pairs.map(([, xid]) => xid), busChannel]
    const { rows } = await pool.query<Ended>({ ...announce, values })
    for (const { topic, xid } of rows) {
      const topics = waiting.get(xid)
      topics?.delete(topic)
      if (topics?.size === 0) waiting.delete(xid)
    }
    delayMs = rows.length > 0 ? soonestMs : Math.min(delayMs * 2, latestMs)
  }
  const plan = () => {
    timer ??= setTimeout(() => {
      busy = look()
        .catch((error: unknown) => {
          // Consumers look each second themselves.
          waiting.clear()
          failed(error)
        })
        .then(() => {
          timer = undefined
          if (waiting.size > 0 && announcers.has(add)) plan()
        })
    }, delayMs)
  }
  const add = (topic: string, xid: string) => {
    waiting.set(xid, (waiting.get(xid) ?? new Set()).add(topic))
    delayMs = soonestMs
    plan()
  }
  announcers.add(add)
  return {
    async close() {
      announcers.delete(add)
      clearTimeout(timer)
      await busy
    },
  }
}
