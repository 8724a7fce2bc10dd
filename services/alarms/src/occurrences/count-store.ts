import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

/** Numbers of open alarms of a device by severity, and the worst of them. */
type Counted = { deviceId: string; counts: number[]; max: number }

/**
 * Counts the open alarms of devices anew, without those that are suppressed or shelved; returns the devices
 * whose numbers are others than before.
 */
export async function countDevices(
  tx: Kysely<AlarmsDb>,
  deviceIds: readonly string[],
): Promise<Counted[]> {
  const numbers = Array.from({ length: 7 }, (_, level) => {
    return sql`count(*) filter (where o.level = ${sql.lit(level)})::int`
  })
  const { rows } = await sql<{ device_id: string; n: number[]; max: number }>`
    insert into alarms.device_count as kept (device_id, org, n, max)
    select d.device_id, d.org, counted.n, counted.max
    from alarms.device d, lateral (
      select array[${sql.join(numbers)}] as n, coalesce(max(o.level), -1) as max
      from alarms.occurrence o where o.device_id = d.device_id and o.open
        and not o.suppressed and o.shelf_id is null) counted
    where d.device_id = any(${[...new Set(deviceIds)]}::text[])
    on conflict (device_id) do update set org = excluded.org, n = excluded.n, max = excluded.max
      where kept.n <> excluded.n or kept.org <> excluded.org
    returning kept.device_id, kept.n, kept.max`.execute(tx)
  return rows.map(({ device_id: deviceId, n: counts, max }) => ({ deviceId, counts, max }))
}
