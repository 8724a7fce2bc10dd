import type { Handlers } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { platformContract } from '../contract.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import type { DeviceActivity } from './device-activity-contract.ts'
import type { PlatformDb } from './device-state-store.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from './devices-state.ts'

const windowMs = 24 * 3_600_000
/** A line that is lost all the time is drawn as well by its newest changes. */
const mostChanges = 200

/** Handler of the activity of many devices, which the rows of a list show. */
export const deviceActivity = (
  { directory }: Pick<DevicesState, 'directory'>,
  { db }: PlatformDeps,
): Pick<Handlers<typeof platformContract>, 'activity'> => ({
  activity: async ({ body: { deviceIds } }, ctx) => {
    const { now } = ctx
    const rows = await activityOf(db, [...new Set(deviceIds)], new Date(now.getTime() - windowMs))
    // A device that the caller may not see is left out, as one that does not exist.
    const seen = rows.filter((row) => canInSight(ctx, 'read', row))
    const data = seen.map((row): DeviceActivity => {
      const heardNow = (directory.known(row.deviceId)?.received.messages ?? 0) > 0
      const { deviceId, connected, connectedBefore, changes } = row
      const lastMessageAt = heardNow ? now.getTime() : row.lastMessageAt
      return { deviceId, connected, connectedBefore, changes, lastMessageAt }
    })
    return { now: now.getTime(), data }
  },
})

type Row = DeviceActivity & { org: string; groups: number[] }

/** Rows of the activity of devices since a time, and whether each was connected before. */
export async function activityOf(db: Kysely<PlatformDb>, ids: readonly string[], since: Date) {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select s.device_id as "deviceId", s.org, s.groups, s.connected,
      (extract(epoch from s.last_message_at) * 1000)::bigint as "lastMessageAt",
      -- The state says when the last change was, so that one month is read instead of all.
      coalesce((select e.connected from platform.connection_event e
        where e.device_id = s.device_id and e.at < ${since}
          and e.at >= greatest(case when s.connected_at < ${since} then s.connected_at end,
            case when s.disconnected_at < ${since} then s.disconnected_at end)
        order by e.at desc limit 1), (select e.connected from platform.connection_event e
        where e.device_id = s.device_id and e.at < ${since}
        order by e.at desc limit 1)) as "connectedBefore",
      coalesce((select jsonb_agg(jsonb_build_array(
            (extract(epoch from e.at) * 1000)::bigint, e.connected) order by e.at)
        from (select at, connected from platform.connection_event
          where device_id = s.device_id and at >= ${since}
          order by at desc limit ${mostChanges}) e), '[]') as changes
    from platform.device_state s
    where s.device_id = any(${[...ids]}::text[]) and not s.deleted`.execute(db)
  return rows
}
