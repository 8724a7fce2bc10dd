import { type Kysely, sql } from 'kysely'
import type { PlatformDb } from './device-state-store.ts'

type Owned = { id: string; org: string }
type Db = Kysely<PlatformDb>

const dayMs = 86_400_000
/** Connections and losses are kept for three years. */
export const connectionsKeptMs = 3 * 365 * dayMs
/** The stretches, ending now, that uptime is said of; in days. */
const stretches = [1, 7, 30] as const

type Uptime = { days: number; onlineMs: number; knownMs: number; losses: number }

/**
 * Time that the device was connected in the last 24 h, 7 and 30 days. The time before it was first
 * seen counts neither as online nor as offline.
 */
export async function uptimeOf(db: Db, { id, org }: Owned, now: Date): Promise<Uptime[]> {
  const { rows } = await sql<Record<'days' | 'online' | 'known' | 'losses', number>>`
    with asked as (
      select days, ${now}::timestamptz - make_interval(days => days) as start
      from unnest(${[...stretches]}::int[]) as days
    ), event as (
      select at, connected, lead(at, 1, ${now}::timestamptz) over (order by at, connected) as next
      from platform.connection_event
      where device_id = ${id} and org = ${org} and at <= ${now}
        and at >= coalesce((select max(at) from platform.connection_event
          where device_id = ${id} and org = ${org} and at < (select min(start) from asked)),
          '-infinity')
    )
    select a.days,
      coalesce(sum(extract(epoch from e.next - greatest(e.at, a.start)))
        filter (where e.connected), 0)::float8 as online,
      coalesce(sum(extract(epoch from e.next - greatest(e.at, a.start))), 0)::float8 as known,
      count(*) filter (where not e.connected and e.at >= a.start)::int as losses
    from asked a left join event e on e.next > a.start
    group by a.days order by a.days`.execute(db)
  return rows.map(({ days, online, known, losses }) => ({
    days,
    onlineMs: Math.round(online * 1_000),
    knownMs: Math.min(Math.round(known * 1_000), days * dayMs),
    losses,
  }))
}

/** A line lost this often within the last hour is one that flaps. */
const flapping = { losses: 4, withinMs: 3_600_000 }

/** Connection losses of the last hour, when there are too many. */
export async function flappingOf(db: Db, { id, org }: Owned, now: Date) {
  const { losses } = await db
    .selectFrom('connection_event')
    .select((select) => select.fn.countAll<number>().as('losses'))
    .where('device_id', '=', id)
    .where('org', '=', org)
    .where('connected', '=', false)
    .where('at', '>', new Date(now.getTime() - flapping.withinMs))
    .executeTakeFirstOrThrow()
  return losses >= flapping.losses ? { losses, withinMs: flapping.withinMs } : null
}

type Connection = { from: Date; to: Date | null; ip: string | null }
type Asked = { since: Date | undefined; to: Date | undefined; limit: number }

/** The newest `limit` times that the device was there and that touch the range, newest first. */
export async function connectionsOf(db: Db, { id, org }: Owned, { since, to, limit }: Asked) {
  const { rows } = await sql<Connection>`
    select came.at as "from", left_at.at as "to", came.ip
    from platform.connection_event came
    left join lateral (select at from platform.connection_event e
      where e.device_id = came.device_id and e.org = came.org and not e.connected
        and e.at >= came.at order by e.at limit 1) left_at on true
    where came.device_id = ${id} and came.org = ${org} and came.connected
      and (${to ?? null}::timestamptz is null or came.at < ${to ?? null})
      and (${since ?? null}::timestamptz is null or coalesce(left_at.at, 'infinity') >= ${since ?? null})
    order by came.at desc limit ${limit}`.execute(db)
  return rows
}
