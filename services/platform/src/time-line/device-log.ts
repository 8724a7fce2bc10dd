import { type DeviceColumns, inCallSql } from '@longreach/authorization/device-visibility'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PlatformDb } from '../devices/device-state-store.ts'
import { type MomentRow, momentsKeptMs } from '../moments/moment-store.ts'

type Db = Kysely<PlatformDb>

type Asked = {
  since: Date | undefined
  to: Date | undefined
  without: readonly string[] | undefined
  text: string | undefined
  person: string | undefined
  device: string | undefined
  before: { at: Date; id: string } | undefined
  limit: number
}

type DeviceMoment = MomentRow & { label: string; groups: number[] }

const columns: DeviceColumns = { organization: 's.org', groups: ['s.groups && ', '::int[]'] }

/** Time-line entries of the devices of a call, newest first, with what tells whether the caller sees them. */
export async function momentsOfDevices(db: Db, ctx: OrgCtx, asked: Asked): Promise<DeviceMoment[]> {
  const conditions = [
    sql<boolean>`not s.deleted`,
    where(inCallSql(ctx, 'read', columns)),
    sql<boolean>`(m.kind = 'comment' or m.made_at >= ${new Date(ctx.now.getTime() - momentsKeptMs)})`,
    ...momentFilters(asked),
  ]
  const { rows } = await sql<DeviceMoment>`
    select m.*, s.label, s.groups
    from platform.moment m join platform.device_state s on s.device_id = m.device_id and s.org = m.org
    where ${sql.join(conditions, sql` and `)}
    order by m.at desc, m.id desc limit ${sql.lit(asked.limit)}`.execute(db)
  return rows
}

function momentFilters({ since, to, without, text, person, device, before }: Asked) {
  const filters: RawBuilder<boolean>[] = []
  if (since) filters.push(sql<boolean>`m.at >= ${since}`)
  if (to) filters.push(sql<boolean>`m.at < ${to}`)
  if (without) filters.push(sql<boolean>`m.kind <> all(${[...without]}::text[])`)
  // The data of an entry on a path is not searched: who may not see the path learns nothing of it.
  if (text !== undefined)
    filters.push(
      containsText(
        sql`concat_ws(' ', s.label, m.kind, m.by_name, case when m.path is null then m.data::text end)`,
        text,
      ),
    )
  if (person !== undefined) filters.push(containsText(sql`coalesce(m.by_name, '')`, person))
  if (device !== undefined) filters.push(containsText(sql`s.label`, device))
  if (before) filters.push(sql<boolean>`(m.at, m.id) < (${before.at}, ${before.id}::uuid)`)
  return filters
}

const containsText = (column: RawBuilder<unknown>, part: string) =>
  sql<boolean>`position(lower(${part}) in lower(${column})) > 0`
