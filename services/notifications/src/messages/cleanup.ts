import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import type { NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'

const dayMs = 86_400_000
const keptDays = 90
const failedKeptDays = 365

/** Delete decisions and messages of more than 90 days ago, and failed deliveries after a year. */
export async function cleanupMessages({ db, now }: Pick<NotificationsDeps, 'db' | 'now'>) {
  const before = (days: number) => new Date(now().getTime() - days * dayMs)
  await db.deleteFrom('decision').where('created_at', '<', before(keptDays)).execute()
  await db.deleteFrom('inbox_item').where('created_at', '<', before(keptDays)).execute()
  await db
    .deleteFrom('delivery')
    .where('created_at', '<', before(keptDays))
    .where('state', '<>', 'FAILED')
    .execute()
  await db
    .deleteFrom('message')
    .where('created_at', '<', before(keptDays))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('delivery').select('id').whereRef('message_id', '=', 'message.id'))),
    )
    .execute()
  await db.deleteFrom('message').where('created_at', '<', before(failedKeptDays)).execute()
  await db.deleteFrom('notification').where('deleted_at', '<', before(failedKeptDays)).execute()
}

/** Everything of organizations that were purged goes. */
export const forgetOrganizations = on(
  coreContract.events.organizationPurged,
  async ({ organizations }, tx: Kysely<NotificationsDb>) => {
    const names = organizations.map(({ resourceId }) => resourceId)
    const tables = [
      'notification',
      'message',
      'held',
      'channel',
      'escalation',
      'schedule',
      'inbox_item',
      'pulse_watcher',
    ] as const
    for (const table of tables) {
      await tx
        .deleteFrom(table)
        .where(sql<boolean>`org = any(${names}::text[])`)
        .execute()
    }
    await tx
      .deleteFrom('decision')
      .where(sql<boolean>`alarm_org = any(${names}::text[])`)
      .execute()
  },
)
