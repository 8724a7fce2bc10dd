import type { Kysely } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import { onlyUuids } from '../uuids.ts'

type Db = Kysely<NotificationsDb>

/** Channels of an organization by id. */
export async function channelsById(db: Db, org: string, ids: readonly string[]) {
  const known = onlyUuids(ids)
  if (known.length === 0) return []
  return db
    .selectFrom('channel')
    .selectAll()
    .where('org', '=', org)
    .where('id', 'in', known)
    .orderBy('id')
    .execute()
}
