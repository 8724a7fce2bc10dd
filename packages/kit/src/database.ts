import { readdir, readFile } from 'node:fs/promises'
import { Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { preparingClient, statementNames } from './prepared-statements.ts'
import { PublishingDialect } from './publishing-dialect.ts'

export type Connection = pg.PoolConfig
export type Database = { pool: pg.Pool; db: Kysely<unknown>; close: () => Promise<void> }

// Counts and identities stay below 2^53, so that int8 is read as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens a connection pool. `onError` gets errors of idle connections that the server closed, and of announcements
 * of events.
 */
export function openDatabase(connection: Connection, onError: (error: Error) => void): Database {
  const Client = preparingClient(statementNames())
  const pool = new pg.Pool({ max: 20, ...connection, Client })
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client // The client is the whole connection, which a log does not need.
    if (!pool.ending) onError(error)
  })
  // The pool handles errors of idle connections only; an unhandled one of a used connection would
  // end the process.
  pool.on('connect', (client) => client.on('error', () => undefined)) // its query rejects
  const db = new Kysely<unknown>({ dialect: new PublishingDialect(pool, onError) })
  const close = async () => {
    await db.destroy()
    if (!pool.ending) await pool.end() // Kysely ends only a pool that it used itself.
  }
  return { pool, db, close }
}

/**
 * Migrates `schema` to its newest version from a folder of numbered SQL files; returns a query
 * builder for it.
 */
export async function migrated(db: Kysely<unknown>, schema: string, folder: URL) {
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  const own = db.withSchema(schema)
  const provider = { getMigrations: () => migrationsIn(schema, folder) }
  const { error } = await new Migrator({
    db: own,
    provider,
    migrationTableSchema: schema,
  }).migrateToLatest()
  if (error) throw error
  return own
}

async function migrationsIn(schema: string, folder: URL): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const entries = files.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(name, folder), 'utf8')
    const up = async (tx: Kysely<unknown>) => {
      await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx)
      await sql.raw(text).execute(tx)
      await sql`set local search_path to default`.execute(tx)
    }
    return [name.replace(/\.sql$/, ''), { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}
