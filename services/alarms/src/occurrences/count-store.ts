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
  const { rows } = await sql<{ device_id: string; n: number[]; max: number }>`
    with level as (
      select asked.device_id, o.level, count(*)::int as n
      from unnest(${[...new Set(deviceIds)]}::text[]) as asked(device_id)
      join alarms.occurrence o on o.device_id = asked.device_id and o.open
        and not o.suppressed and o.shelf_id is null
      group by asked.device_id, o.level
    ), counted as (
      select d.device_id, d.org,
        array(select coalesce((select n from level l where l.device_id = d.device_id and l.level = each), 0)
          from generate_series(0, 6) as each) as n,
        coalesce((select max(level) from level l where l.device_id = d.device_id), -1) as max
      from alarms.device d where d.device_id = any(${[...new Set(deviceIds)]}::text[])
    )
    insert into alarms.device_count as kept (device_id, org, n, max)
    select device_id, org, n, max from counted
    on conflict (device_id) do update set org = excluded.org, n = excluded.n, max = excluded.max
      where kept.n <> excluded.n or kept.org <> excluded.org
    returning kept.device_id, kept.n, kept.max`.execute(tx)
  return rows.map(({ device_id: deviceId, n: counts, max }) => ({ deviceId, counts, max }))
}
