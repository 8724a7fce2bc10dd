import { type QueryExecutorProvider, sql } from 'kysely'
import type { Pool } from 'pg'

/**
 * Waits until no other transaction holds this lock, and holds it until the transaction ends. `name` is the
 * service and what is locked (`mappings.device_label`) and stands in one place; `keys` say which one.
 */
export const holdLock = (tx: QueryExecutorProvider, name: string, ...keys: readonly string[]) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${lockText(name, keys)}, 0))`.execute(tx)

/**
 * Holds a lock beside others who do the same, until the transaction ends: only `holdLock` of the same name
 * and keys waits for them, and they for it.
 */
export const shareLock = (tx: QueryExecutorProvider, name: string, ...keys: readonly string[]) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockText(name, keys)}, 0))`.execute(tx)

/** Holds a lock for each key; in one order, so that no two transactions wait for each other. */
export const holdLocks = (tx: QueryExecutorProvider, name: string, keys: readonly string[]) =>
  sql`select pg_advisory_xact_lock(place) from (
    select distinct hashtextextended(one, 0) as place
    from unnest(${keys.map((key) => lockText(name, [key]))}::text[]) as one order by 1) as places`.execute(
    tx,
  )

/** Text from which the number of a lock is made. */
export const lockText = (name: string, keys: readonly string[]) => JSON.stringify([name, ...keys])

/**
 * Does work of many transactions while no other process holds this lock. It needs a connection beside those
 * of the work, and ends with it when the process dies.
 */
export async function withLock<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const connection = await pool.connect()
  try {
    await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockText(name, [])])
    return await work()
  } finally {
    connection.release(true)
  }
}
