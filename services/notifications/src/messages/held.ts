import { randomUUID } from 'node:crypto'
import type { NotificationsDeps } from '../deps.ts'
import type { Addressee } from '../recipients/audience.ts'
import { insertDeliveries, insertMessage } from './message-store.ts'

/** Tell recipients whose hour is over how many messages were held back. */
export const tellHeld = ({ db, now }: Pick<NotificationsDeps, 'db' | 'now'>) =>
  db.transaction().execute(async (tx) => {
    const at = now()
    const due = await tx
      .deleteFrom('held')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('recipient', 'channel'),
          'in',
          selectFrom('held')
            .select(['recipient', 'channel'])
            .where('due_at', '<=', at)
            .limit(100)
            .forUpdate()
            .skipLocked()
            .$asTuple('recipient', 'channel'),
        ),
      )
      .returningAll()
      .execute()
    for (const { org, count, delivery } of due) {
      const message = {
        id: randomUUID(),
        notificationId: null,
        org,
        kind: 'more' as const,
        about: '',
        aboutOrg: org,
        aboutGroups: [],
        total: 0,
        severity: 0,
        facts: { more: count },
      }
      await insertMessage(tx, message, at)
      const addressee = { ...(delivery as Addressee), gate: '' as const } // as `hold` wrote it
      await insertDeliveries(tx, message, { addressees: [addressee], now: at, unlimited: true })
    }
  })
