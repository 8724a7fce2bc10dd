import {
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type QueryExecutorProvider,
  type TransactionSettings,
} from 'kysely'
import type { Pool } from 'pg'
import { createAnnouncer } from './announcements.ts'
import { type EventRow, insertOfEvents } from './event-rows.ts'

/** Events that a transaction writes when it commits, and their number at each of its savepoints. */
type Unwritten = { rows: EventRow[]; savepoints: { name: string; before: number }[] }

const transactions = new WeakMap<DatabaseConnection, Unwritten>()
/** Topics to announce when a connection is released after its transaction. */
const published = new WeakMap<DatabaseConnection, Set<string>>()

/**
 * Announces `topic` to all processes once the caller's transaction has committed. A notify in that
 * transaction would hold a lock of the whole database through its commit, one commit after another.
 */
export const announceAfterCommit = (tx: QueryExecutorProvider, topic: string) =>
  tx.getExecutor().provideConnection(async (connection) => noteTopic(connection, topic))

/**
 * Writes events at the end of the caller's transaction, or at once when there is none, and then announces
 * their topic. All of a transaction are written by one statement, which is sent together with the commit, so that
 * the locks of their lanes are held for this time only.
 */
export const writeAtCommit = (
  tx: QueryExecutorProvider,
  topic: string,
  rows: readonly EventRow[],
) =>
  tx.getExecutor().provideConnection(async (connection) => {
    const unwritten = transactions.get(connection)
    if (unwritten) for (const row of rows) unwritten.rows.push(row)
    else await connection.executeQuery(insertOfEvents(rows))
    noteTopic(connection, topic)
  })

const noteTopic = (connection: DatabaseConnection, topic: string) =>
  void published.set(connection, (published.get(connection) ?? new Set()).add(topic))

function openTransaction(connection: DatabaseConnection) {
  const open = transactions.get(connection)
  if (!open) throw new Error('a savepoint outside of a transaction')
  return open
}

type Announcer = ReturnType<typeof createAnnouncer>

/** Dialect that writes the events of a transaction when it commits, and announces them when it has committed. */
export class PublishingDialect extends PostgresDialect {
  readonly #pool: Pool
  readonly #failed: (error: Error) => void

  constructor(pool: Pool, failed: (error: Error) => void) {
    super({ pool })
    this.#pool = pool
    this.#failed = failed
  }

  override createDriver() {
    return new PublishingDriver(this.#pool, createAnnouncer(this.#pool, this.#failed))
  }
}

type Held = Parameters<PostgresDriver['releaseConnection']>[0]
type Compile = Parameters<PostgresDriver['savepoint']>[2]

class PublishingDriver extends PostgresDriver {
  readonly #announcer: Announcer

  constructor(pool: Pool, announcer: Announcer) {
    super({ pool })
    this.#announcer = announcer
  }

  override async beginTransaction(connection: Held, settings: TransactionSettings) {
    await super.beginTransaction(connection, settings)
    transactions.set(connection, { rows: [], savepoints: [] })
  }

  override async commitTransaction(connection: Held) {
    const rows = transactions.get(connection)?.rows ?? []
    transactions.delete(connection)
    if (rows.length === 0) return super.commitTransaction(connection)
    // The commit is sent before the first answer; after a failed statement it rolls back.
    await Promise.all([
      connection.executeQuery(insertOfEvents(rows)),
      super.commitTransaction(connection),
    ])
  }

  override async rollbackTransaction(connection: Held) {
    transactions.delete(connection)
    published.delete(connection)
    await super.rollbackTransaction(connection)
  }

  override async savepoint(connection: Held, name: string, compile: Compile) {
    await super.savepoint(connection, name, compile)
    const { rows, savepoints } = openTransaction(connection)
    savepoints.push({ name, before: rows.length })
  }

  override async rollbackToSavepoint(connection: Held, name: string, compile: Compile) {
    await super.rollbackToSavepoint(connection, name, compile)
    const { rows, savepoints } = openTransaction(connection)
    const place = savepoints.findLastIndex((one) => one.name === name)
    rows.length = savepoints[place]?.before ?? rows.length
    savepoints.length = place + 1
  }

  override async releaseSavepoint(connection: Held, name: string, compile: Compile) {
    await super.releaseSavepoint(connection, name, compile)
    const { savepoints } = openTransaction(connection)
    savepoints.length = savepoints.findLastIndex((one) => one.name === name)
  }

  override async releaseConnection(connection: Held) {
    const topics = published.get(connection)
    transactions.delete(connection)
    published.delete(connection)
    await super.releaseConnection(connection)
    if (topics) this.#announcer.announce(topics)
  }

  override async destroy() {
    await this.#announcer.settled()
    await super.destroy()
  }
}
