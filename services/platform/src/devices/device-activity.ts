import type { Handlers } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
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
type Found = Row & {
  /** The state changed within the window, so that it does not tell what was before. */
  isChanged: boolean
}

/** Rows of the activity of devices since a time, and whether each was connected before. */
export async function activityOf(
  db: Kysely<PlatformDb>,
  ids: readonly string[],
  since: Date,
): Promise<Row[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Found>`
    select s.device_id as "deviceId", s.org, s.groups, s.connected,
      (extract(epoch from s.last_message_at) * 1000)::bigint as "lastMessageAt",
      -- The last change is in the state; the table of changes would be asked in every month.
      coalesce(s.connected_at >= s.disconnected_at, case when s.connected_at is not null then true
        when s.disconnected_at is not null then false end) as "connectedBefore",
      coalesce(greatest(s.connected_at, s.disconnected_at) >= ${since}, false) as "isChanged",
      coalesce((select jsonb_agg(jsonb_build_array(
            (extract(epoch from e.at) * 1000)::bigint, e.connected) order by e.at)
        from (select at, connected from platform.connection_event
          where device_id = s.device_id and at >= ${since}
          order by at desc limit ${mostChanges}) e), '[]') as changes
    from platform.device_state s
    where s.device_id = any(${[...ids]}::text[]) and not s.deleted`.execute(db)
  const changed = rows.filter(({ isChanged }) => isChanged).map(({ deviceId }) => deviceId)
  const before = await connectedBefore(db, changed, since)
  return rows.map(({ isChanged, ...row }) =>
    isChanged ? { ...row, connectedBefore: before.get(row.deviceId) ?? null } : row,
  )
}

const lastMonthMs = 31 * windowMs

/** Connection of devices at a time, looked for in the last month, then in all. */
async function connectedBefore(db: Kysely<PlatformDb>, ids: readonly string[], since: Date) {
  const lately = new Date(since.getTime() - lastMonthMs)
  const known = await lastChanges(db, ids, sql`e.at >= ${lately} and e.at < ${since}`)
  const others = ids.filter((id) => !known.has(id))
  return new Map([...known, ...(await lastChanges(db, others, sql`e.at < ${lately}`))])
}

async function lastChanges(
  db: Kysely<PlatformDb>,
  ids: readonly string[],
  range: RawBuilder<unknown>,
) {
  if (ids.length === 0) return new Map<string, boolean>()
  const { rows } = await sql<{ id: string; connected: boolean }>`
    select id, last.connected from unnest(${[...ids]}::text[]) id
    cross join lateral (select e.connected from platform.connection_event e
      where e.device_id = id and ${range} order by e.at desc limit 1) last`.execute(db)
  return new Map(rows.map(({ id, connected }) => [id, connected]))
}
