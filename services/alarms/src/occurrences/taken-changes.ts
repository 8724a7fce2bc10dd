import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { takenKey } from './edits.ts'
import type { Occurrence } from './occurrence.ts'

/** Keys of the changes at these times that occurrences have already. */
export async function readTakenChanges(
  tx: Kysely<AlarmsDb>,
  rows: readonly Pick<Occurrence, 'id'>[],
  times: readonly number[],
): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const dates = [...new Set(times)].map((t) => new Date(t).toISOString())
  const found = await sql<{ occurrence: string; t: Date; from: string }>`
    select occurrence, t, state->>'from' as "from" from alarms.change
    where occurrence = any(${ids}::text[]) and t = any(${dates}::timestamptz[])
      and state->>'from' is not null`.execute(tx)
  return found.rows.map(({ occurrence, t, from }) => takenKey(occurrence, t.getTime(), from))
}
