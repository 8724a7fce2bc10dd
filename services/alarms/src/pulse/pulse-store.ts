import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { pulseDevice } from '../pulse-contract.ts'

type Db = Kysely<AlarmsDb>

/** Newest beat of which an alarm was written; undefined before the first one. */
async function passedAlarm(db: Db) {
  const row = await db.selectFrom('pulse_station').select(['t', 'at']).executeTakeFirst()
  return row && { t: row.t.getTime(), at: row.at.getTime() }
}

/** Answer of the station to notifications. */
export const pulseAlarm =
  ({ db }: { db: Db }) =>
  async () => ({ alarm: (await passedAlarm(db)) ?? null })

/** Time for which alarms of the pulse are kept, in ms. */
const keptMs = 900_000

/** Deletes alarms of the pulse that are older than 15 minutes. */
export const cleanupPulseAlarms = ({ db, now }: { db: Db; now: () => Date }) =>
  sql`delete from alarms.occurrence where device_id = ${pulseDevice}
    and updated_t < ${new Date(now().getTime() - keptMs)}`.execute(db)
