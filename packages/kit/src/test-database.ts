import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { openDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server that the whole test run shares. */
    postgres: { host: string; user: string; database: string }
  }
}

/** What a database begins with; the first test that asks for it makes it, and the others get copies. */
export type Beginning = { key: string; make: (db: Kysely<unknown>) => Promise<void> }

/** A database of this test's own on the run's server, gone when it is closed. */
export async function testDatabase(beginning?: Beginning) {
  const server = inject('postgres')
  const database = `t_${randomUUID().replaceAll('-', '')}`
  const template = beginning ? await templateOf(server, beginning) : 'template1'
  // Copied as files, which takes a sixth of the time where nothing waits for the disk.
  await onServer(server, `create database ${database} template ${template} strategy file_copy`)
  const connection = { ...server, database }
  const { pool, db } = openDatabase({ ...connection, max: 10 }, () => undefined) // a dropped idle connection ends with its test
  return {
    connection,
    pool,
    db,
    async close() {
      await db.destroy()
      await onServer(server, `drop database ${database} with (force)`)
    },
  }
}

async function templateOf(server: pg.ClientConfig, { key, make }: Beginning) {
  const name = `template_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const client = new pg.Client(server)
  await client.connect()
  // Another file may be at the same one; the end of the connection lets go of the lock.
  await client.query('select pg_advisory_lock(hashtext($1))', [name])
  const known = await client.query('select from pg_database where datname = $1', [name])
  if (known.rowCount === 0) {
    const begun = `begun_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${begun} strategy file_copy`)
    const { db } = openDatabase({ ...server, database: begun, max: 2 }, () => undefined) // ends just below
    await make(db).finally(() => db.destroy())
    await client.query(`alter database ${begun} rename to ${name}`)
  }
  await client.end()
  return name
}

async function onServer(server: pg.ClientConfig, statement: string) {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
