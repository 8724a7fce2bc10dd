import type { Kysely } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import { onlyUuids } from '../uuids.ts'
import { onCallAt } from './on-call-rules.ts'

/** Person on call of each schedule of an organization; null where there is a gap. */
export async function onCallPeople(
  db: Kysely<NotificationsDb>,
  org: string,
  { ids, at }: { ids: readonly string[]; at: number },
) {
  const known = onlyUuids(ids)
  if (known.length === 0) return []
  const rows = await db
    .selectFrom('schedule')
    .selectAll()
    .where('org', '=', org)
    .where('id', 'in', known)
    .execute()
  return rows.map(({ id, name, settings }) => ({ id, name, person: onCallAt(settings, at) }))
}
