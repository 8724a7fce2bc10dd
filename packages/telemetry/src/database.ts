import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { TelemetryError } from './point.ts'

/** Runs `work` with a connection; a connection that breaks is discarded. */
export async function connected<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, onBroken: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onBroken = (error: Error) => {
    broken = error
  }
  client.on('error', onBroken)
  try {
    return await work(client, onBroken)
  } finally {
    client.off('error', onBroken)
    client.release(broken)
  }
}

/** Runs `work` in one transaction. */
export const transaction = <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  mode = '',
): Promise<T> =>
  connected(pool, async (client, onBroken) => {
    try {
      await client.query(`begin ${mode}`)
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(onBroken)
      throw error
    }
  })

/** SQLSTATE of a database error. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined

const meanwhileChanged = new Set<unknown>(['40001', '40P01'])
const mostTries = 5

/** Runs `work` on one snapshot, again when another process has changed the same rows meanwhile. */
export async function snapshotTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await transaction(pool, work, 'isolation level repeatable read')
    } catch (error) {
      if (tries === mostTries || !meanwhileChanged.has(codeOf(error))) throw error
    }
}

/** Integers as a PostgreSQL array literal; the driver would check each one for quoting. */
export const wholes = (numbers: readonly number[]) => `{${numbers.join(',')}}`

/** Namespace of the advisory locks of writers, which show that they live. */
export const writerLocks = 7_210_544
const writersEndMs = 10_000

/** Waits until no process of an earlier version writes: it does not know the tables as they will be. */
async function waitForWriters(client: pg.PoolClient) {
  const until = performance.now() + writersEndMs
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_locks where locktype = 'advisory' and classid = $1 and granted
         and database = (select oid from pg_database where datname = current_database())`,
      [writerLocks],
    )
    if (rowCount === 0) return
    if (performance.now() > until)
      throw new TelemetryError(
        'unavailable',
        'A process of an earlier version still writes values into this database; stop it, then start this one',
      )
    await new Promise((done) => setTimeout(done, 100))
  }
}

/**
 * Migrates the schema `telemetry` to its newest version; safe when several processes start at once.
 */
export async function migrate(pool: pg.Pool) {
  const folder = new URL('migrations/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  await transaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('longreach telemetry migration'))`)
    await client.query(`create schema if not exists telemetry`)
    await client.query(`create table if not exists telemetry.migration (name text primary key)`)
    const done = await client.query<{ name: string }>(`select name from telemetry.migration`)
    const names = new Set(done.rows.map(({ name }) => name))
    const missing = files.filter((name) => !names.has(name))
    if (missing.length > 0) await waitForWriters(client)
    for (const file of missing) {
      await client.query(`set local search_path to telemetry`)
      await client.query(await readFile(new URL(file, folder), 'utf8'))
      await client.query(`insert into telemetry.migration values ($1)`, [file])
    }
    await client.query(`set local search_path to default`)
  })
}

const full = new Set(['53100', '53200', '53400'])

/** Database error as a `TelemetryError` that tells an operator what to do. */
export function faultOf(error: unknown): TelemetryError {
  if (error instanceof TelemetryError) return error
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined && full.has(code))
    return new TelemetryError(
      'disk_full',
      `The database has no room left (${message}); free disk space, then send the values again`,
      error,
    )
  return new TelemetryError(
    'unavailable',
    `The values are not stored, the database did not answer (${message}); send them again`,
    error,
  )
}
