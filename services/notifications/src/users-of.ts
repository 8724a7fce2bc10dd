import { type Kysely, sql } from 'kysely'
import type { NotificationsDb } from './database.ts'

/** Names of the rules and escalations of an organization that name something by its id. */
export async function usersOf(db: Kysely<NotificationsDb>, org: string, id: string) {
  const names = (table: 'notification' | 'escalation') =>
    db
      .selectFrom(table)
      .select('name')
      .where('org', '=', org)
      .where(sql<boolean>`position(${id} in settings::text) > 0`)
      .$if(table === 'notification', (rules) => rules.where(sql<boolean>`deleted_at is null`))
      .limit(10)
      .execute()
  const found = [...(await names('notification')), ...(await names('escalation'))]
  return found.map(({ name }) => name)
}
