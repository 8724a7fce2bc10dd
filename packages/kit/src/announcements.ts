import { setTimeout as wait } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type QueryExecutorProvider,
} from 'kysely'
import type { Pool } from 'pg'

/** PostgreSQL channel that announces new events and jobs. */
export const busChannel = 'longreach_bus'

/** Topics to announce when a connection is released after its transaction. */
const published = new WeakMap<DatabaseConnection, Set<string>>()

/**
 * Announces `topic` to all processes once the caller's transaction has committed. A notify in that
 * transaction would hold a lock of the whole database through its commit, one commit after another. The
 * statement that publishes runs over the same connection, which has a transaction of its own otherwise.
 */
export const announceAfterCommit = (
  tx: QueryExecutorProvider,
  topic: string,
  publishing?: CompiledQuery,
) =>
  tx.getExecutor().provideConnection(async (connection) => {
    if (publishing) await connection.executeQuery(publishing)
    published.set(connection, (published.get(connection) ?? new Set()).add(topic))
  })

type Announcer = ReturnType<typeof createAnnouncer>

/** Dialect that announces what transactions published after they have committed. */
export class AnnouncingDialect extends PostgresDialect {
  readonly #pool: Pool
  readonly #failed: (error: Error) => void

  constructor(pool: Pool, failed: (error: Error) => void) {
    super({ pool })
    this.#pool = pool
    this.#failed = failed
  }

  override createDriver() {
    return new AnnouncingDriver(this.#pool, createAnnouncer(this.#pool, this.#failed))
  }
}

type Held = Parameters<PostgresDriver['releaseConnection']>[0]

class AnnouncingDriver extends PostgresDriver {
  readonly #announcer: Announcer

  constructor(pool: Pool, announcer: Announcer) {
    super({ pool })
    this.#announcer = announcer
  }

  override async rollbackTransaction(connection: Held) {
    published.delete(connection)
    await super.rollbackTransaction(connection)
  }

  override async releaseConnection(connection: Held) {
    const topics = published.get(connection)
    published.delete(connection)
    await super.releaseConnection(connection)
    if (topics) this.#announcer.announce(topics)
  }

  override async destroy() {
    await this.#announcer.settled()
    await super.destroy()
  }
}

/** The commit of an announcement waits for no disk and no standby: consumers look each second themselves. */
const announcement = {
  name: 'kit-announcement',
  text: `select pg_notify($1, topic) from unnest($2::text[]) topic, set_config('synchronous_commit', 'off', true)`,
}

/** Shortest time between two announcements; the first one after a pause is at once. */
const pauseMs = 5

/** Announcements of a process, one statement at a time with all that came since the last one. */
function createAnnouncer(pool: Pool, failed: (error: Error) => void) {
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
