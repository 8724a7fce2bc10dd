import { sql } from 'kysely'
import type { OwnerNoteRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'

const leaseMs = 60_000
/** Attempts to hand a note to notifications: for about a day. */
const mostTries = 1_000

/** Tells owners that their triggers do not run any more. */
export async function tellOwners({ db, now, log, clients }: TriggersDeps) {
  const { rows } = await sql<OwnerNoteRow>`
    update triggers.owner_note set tries = tries + 1, due_at = ${new Date(now().getTime() + leaseMs)}
    where id in (select id from triggers.owner_note where due_at <= ${now()} and tries < ${mostTries}
      order by due_at limit 50 for update skip locked)
    returning *`.execute(db)
  for (const { id, org: organization, sub, name: trigger, code, chain } of rows) {
    try {
      const body = { id, organization, sub, trigger, code, chain: chain.slice(0, 5_000) }
      await clients.notifications.tellTriggerStopped({ body })
      await db.deleteFrom('owner_note').where('id', '=', id).execute()
    } catch (error) {
      log.warn({ err: error, trigger }, 'the owner of a trigger could not be told yet')
    }
  }
}
