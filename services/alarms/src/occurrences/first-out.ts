import { firstOuts } from '@longreach/rules/first-out'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb, OccurrenceRow } from '../database.ts'
import type { Edits } from './edits.ts'
import type { Occurrence } from './occurrence.ts'

/** Alarms of a group that are looked back at; a group that is never normal has more. */
const mostOfGroup = 200

const groupKey = ({ device_id, group_name }: Pick<Occurrence, 'device_id' | 'group_name'>) =>
  JSON.stringify([device_id, group_name])

/** Notes which alarm of a group came first, for the groups of the alarms that change. */
export async function noteFirstOuts(tx: Kysely<AlarmsDb>, edits: Edits): Promise<void> {
  const changed = [...edits.changed].filter(({ group_name }) => group_name !== null)
  const groups = Map.groupBy(changed, groupKey)
  if (groups.size === 0) return
  const stored = await alarmsOfGroups(tx, changed)
  const byGroup = Map.groupBy(stored, groupKey)
  for (const [key, own] of groups) {
    const known = (byGroup.get(key) ?? []).map((row) => edits.get(row.id) ?? row)
    const all = [...new Set([...known, ...own])].filter(({ withdrawn }) => !withdrawn)
    const since = Math.min(...own.map(({ start_t }) => start_t.getTime()))
    const rows = new Map(all.map((row) => [toGroupAlarm(row), row]))
    for (const { alarm, first } of firstOuts([...rows.keys()])) {
      const row = rows.get(alarm)
      if (row && alarm.start >= since && row.first_out !== first)
        edits.touch(row, { first_out: first })
    }
  }
}

const toGroupAlarm = (row: Occurrence) => ({
  source: row.source,
  start: row.start_t.getTime(),
  ...(!row.active && { end: (row.returned_t ?? row.start_t).getTime() }),
})

async function alarmsOfGroups(
  tx: Kysely<AlarmsDb>,
  changed: readonly Occurrence[],
): Promise<Occurrence[]> {
  const { rows } = await sql<OccurrenceRow>`
    with asked as (select distinct device_id, group_name from unnest(
      ${changed.map(({ device_id }) => device_id)}::text[],
      ${changed.map(({ group_name }) => group_name)}::text[]) as each(device_id, group_name))
    select o.* from asked, lateral (
      select * from alarms.occurrence g
      where g.device_id = asked.device_id and g.group_name = asked.group_name
      order by g.start_t desc limit ${sql.lit(mostOfGroup)}) o`.execute(tx)
  return rows
}
