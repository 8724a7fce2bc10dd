import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL server of the whole test run. */
    postgres: { host: string; user: string; database: string }
  }
}

/**
 * Initial contents of a database: made by the first test that needs them and copied for the others.
 */
export type Beginning = {
  key: string
  make: (database: Pick<Database, 'db' | 'pool'>) => Promise<void>
}

/** Database for one test on the server of the run, dropped when it is closed. */
export async function testDatabase(beginning?: Beginning) {
  const server = inject('postgres')
  const database = `t_${randomUUID().replaceAll('-', '')}`
  const template = beginning ? await templateOf(server, beginning) : 'template1'
  // Copying files takes a sixth of the time when nothing waits for the disk.
  await onServer(server, `create database ${database} template ${template} strategy file_copy`)
  const connection = { ...server, database }
  const { pool, db } = openDatabase({ ...connection, max: 10 }, () => undefined) // an idle connection that is dropped ends with its test
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

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

async function templateOf(server: pg.ClientConfig, { key, make }: Beginning) {
  const name = `template_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const client = new pg.Client(server)
  await client.connect()
  // Another test file may be making the same one. The lock ends with the connection.
  await client.query('select pg_advisory_lock(hashtext($1))', [name])
  const known = await client.query('select from pg_database where datname = $1', [name])
  if (known.rowCount === 0) {
    const begun = `begun_${randomUUID().replaceAll('-', '')}`
    await client.query(`create database ${begun} strategy file_copy`)
    const { db, pool } = openDatabase({ ...server, database: begun, max: 2 }, () => undefined) // ends just below
    await make({ db, pool }).finally(() => db.destroy())
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
