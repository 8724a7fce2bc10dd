import { type DeviceColumns, inCallSql } from '@longreach/authorization/device-visibility'
import { isWithinSql, reachOf } from '@longreach/authorization/reach'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, sql } from 'kysely'
import type { PairingDb } from '../pairing/pairing-tables.ts'
import type { PlatformDb } from '../devices/device-state-store.ts'

type Db = Kysely<PlatformDb & PairingDb>
/** A device in a row, with the groups by which rights on its paths are looked up. */
export type DeviceInRow = {
  deviceId: string
  label: string
  orgResourceId: string
  groups: number[]
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]
export const mostItems = 8
export const mostWrites = 10
/** So many writes are looked through for those on paths that the caller may see. */
const mostCandidates = 200
const writesMs = 30 * dayMs
const lostMs = 24 * hourMs
/** Time before and after its end in which a credential is in the overview. */
const ends = {
  certificate: { beforeMs: 14 * dayMs, afterMs: 30 * dayMs },
  activationKey: { beforeMs: 7 * dayMs, afterMs: 7 * dayMs },
}

const columns = sql`s.device_id as "deviceId", s.label, s.org as "orgResourceId", s.groups`
const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint::float8`

const inReach = (ctx: OrgCtx, column: string) => where(isWithinSql(reachOf(ctx), column))

const deviceColumns: DeviceColumns = { organization: 's.org', groups: ['s.groups && ', '::int[]'] }

/** Devices `s` of the call that the caller may read. */
const readable = (ctx: OrgCtx) =>
  sql<boolean>`not s.deleted and ${where(inCallSql(ctx, 'read', deviceColumns))}`

type Some<T> = { total: number; items: T[] }
type Counted = { total: number }
const someOf = <T>(rows: (T & Counted)[]): Some<T> => ({
  total: rows[0]?.total ?? 0,
  items: rows.map(({ total: _total, ...row }) => row as T), // the row without its count
})

export async function lostDevices(db: Db, ctx: OrgCtx) {
  const since = new Date(ctx.now.getTime() - lostMs)
  const { rows } = await sql<DeviceInRow & Counted & { at: number }>`
    select ${columns}, ${ms('s.disconnected_at')} as at, (count(*) over ())::int as total
    from platform.device_state s
    where not s.connected and s.disconnected_at >= ${since} and ${readable(ctx)}
    order by s.disconnected_at desc, s.device_id limit ${mostItems}`.execute(db)
  return someOf<DeviceInRow & { at: number }>(rows)
}

export type WaitingRow = DeviceInRow & {
  id: string
  modelPath: string
  v: unknown
  before: unknown
  reason: string | null
  by: string
  at: number
  expiresAt: number
}

/** Requests of others that still wait. */
export async function waitingWrites(db: Db, ctx: OrgCtx) {
  const own = [ctx.caller.sub, ctx.caller.impersonator?.sub ?? ctx.caller.sub]
  const { rows } = await sql<WaitingRow>`
    select ${columns}, r.id, r.path as "modelPath", r.value as v, r.before, r.reason,
      r.by_name as by, ${ms('r.at')} as at, ${ms('r.expires_at')} as "expiresAt"
    from platform.write_request r
    join platform.device_state s on s.device_id = r.device_id and s.org = r.org
    where r.state = 'waiting' and r.expires_at > ${ctx.now} and ${inReach(ctx, 'r.org')}
      and r.by_sub <> all(${own}::text[])
      and (r.acting_sub is null or r.acting_sub <> all(${own}::text[])) and ${readable(ctx)}
    order by r.expires_at, r.id limit ${mostCandidates}`.execute(db)
  return rows
}

type EndingRow = DeviceInRow & { kind: 'certificate' | 'activationKey'; at: number }

/** Credentials near their end: the newest certificate of a device, and a key that was never used. */
export async function endingCredentials(db: Db, ctx: OrgCtx) {
  const span = (kind: keyof typeof ends, column: string) => {
    const { beforeMs, afterMs } = ends[kind]
    const [from, to] = [ctx.now.getTime() - afterMs, ctx.now.getTime() + beforeMs]
    return sql`${sql.ref(column)} between ${new Date(from)} and ${new Date(to)}`
  }
  const { rows } = await sql<EndingRow & Counted>`
    with ending as (
      select c.device_id, 'certificate' as kind, c.not_after as at
      from platform.device_certificate c
      where c.revoked_at is null and ${span('certificate', 'c.not_after')}
        and not exists (select from platform.device_certificate later
          where later.device_id = c.device_id and later.issued_at > c.issued_at
            and later.revoked_at is null)
      union all
      select k.device_id, 'activationKey', k.expires_at from platform.activation_key k
      where k.revoked_at is null and k.uses = 0 and ${span('activationKey', 'k.expires_at')}
    )
    select ${columns}, e.kind, ${ms('e.at')} as at, (count(*) over ())::int as total
    from ending e join platform.device_state s on s.device_id = e.device_id
    where ${readable(ctx)} order by e.at, s.device_id, e.kind limit ${mostItems}`.execute(db)
  return someOf<EndingRow>(rows)
}

type FailingRow = DeviceInRow & {
  source: string
  type: string
  state: 'failed' | 'partly'
  error: string | null
  at: number
}

/** Sources that fail, of gateways that are connected: of others it is not known any more. */
export async function failingSources(db: Db, ctx: OrgCtx) {
  const { rows } = await sql<FailingRow & Counted>`
    select ${columns}, one->>'name' as source, one->>'type' as type, one->>'state' as state,
      one->>'lastError' as error, ${ms('a.reported_at')} as at, (count(*) over ())::int as total
    from platform.agent_state a
    join platform.device_state s on s.device_id = a.device_id
    cross join lateral jsonb_array_elements(a.health->'sources') one
    where a.failing and s.connected and one->>'state' in ('failed', 'partly') and ${readable(ctx)}
    order by one->>'state', s.label, s.device_id, 5 limit ${mostItems}`.execute(db)
  return someOf<FailingRow>(rows)
}

export type WriteRow = DeviceInRow & {
  modelPath: string
  data: { from?: unknown; to?: unknown; status?: string; reason?: string; approvedBy?: string }
  by: string | null
  at: number
}

/** The newest writes, also those on paths that the caller may not see. */
export async function newestWrites(db: Db, ctx: OrgCtx) {
  const since = new Date(ctx.now.getTime() - writesMs)
  const { rows } = await sql<WriteRow>`
    select ${columns}, m.path as "modelPath", m.data, m.by_name as by, ${ms('m.at')} as at
    from platform.moment m join platform.device_state s on s.device_id = m.device_id and s.org = m.org
    where m.kind = 'write' and m.at >= ${since} and ${inReach(ctx, 'm.org')} and m.path is not null
      and ${readable(ctx)}
    order by m.at desc, m.id desc limit ${mostCandidates}`.execute(db)
  return rows
}
