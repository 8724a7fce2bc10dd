import { type QueryExecutorProvider, sql } from 'kysely'
import type { Secrets } from './secrets.ts'

/** Another master key than the one with which this database was made: nothing in it could be opened. */
export class WrongMasterKey extends Error {
  override name = 'WrongMasterKey'
  constructor() {
    super(
      'The master key is not the one that this database was made with. Set MASTER_KEY to that key, or restore ' +
        'the file master.key of the data folder from the backup that belongs to the database.',
    )
  }
}

/**
 * Id of the installation. Throws `WrongMasterKey` when the database knows another master key. A database without a fingerprint
 * takes the present key's: it is new, or of a version before the check.
 */
export async function requireMasterKey(db: QueryExecutorProvider, secrets: Secrets) {
  await sql`create table if not exists bus.instance (
    one boolean primary key default true check (one),
    id uuid not null default gen_random_uuid(), key_fingerprint text not null)`.execute(db)
  const own = secrets.fingerprint('master key', 'of this database')
  await sql`insert into bus.instance (key_fingerprint) values (${own}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ id: string; key_fingerprint: string }>`
    select id, key_fingerprint from bus.instance`.execute(db)
  if (rows[0]?.key_fingerprint !== own) throw new WrongMasterKey()
  return rows[0].id
}
