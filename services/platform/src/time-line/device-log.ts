import { can } from '@longreach/authorization/can'
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
    ...alarmFilters(ctx),
    ...momentFilters(asked, searchedData(ctx)),
  ]
  const { rows } = await sql<DeviceMoment>`
    select m.*, s.label, s.groups
    from platform.moment m join platform.device_state s on s.device_id = m.device_id and s.org = m.org
    where ${sql.join(conditions, sql` and `)}
    order by m.at desc, m.id desc limit ${sql.lit(asked.limit)}`.execute(db)
  return rows
}

/** Kinds of entries about alarms, which those see who see the alarm. */
export const alarmKinds = ['alarm', 'alarmAction']
const ofAlarm = sql<boolean>`m.kind = any(${alarmKinds}::text[])`

const alarmFilters = ({ capability }: OrgCtx) =>
  can(capability, 'alarms', 'read') ? [] : [sql<boolean>`not ${ofAlarm}`]

/**
 * Data of an entry that is searched. That of an entry on a path is not, nor is that of an alarm for a caller who may
 * read some paths alone: a page that has fewer entries would tell what they may not see.
 */
function searchedData({ capability }: OrgCtx) {
  const isLimited = (capability.paths ?? []).length > 0
  const hidden = isLimited
    ? sql<boolean>`m.path is not null or ${ofAlarm}`
    : sql`m.path is not null`
  return sql`case when ${hidden} then null else m.data::text end`
}

function momentFilters(
  { since, to, without, text, person, device, before }: Asked,
  data: RawBuilder<unknown>,
) {
  const filters: RawBuilder<boolean>[] = []
  if (since) filters.push(sql<boolean>`m.at >= ${since}`)
  if (to) filters.push(sql<boolean>`m.at < ${to}`)
  if (without) filters.push(sql<boolean>`m.kind <> all(${[...without]}::text[])`)
  if (text !== undefined)
    filters.push(containsText(sql`concat_ws(' ', s.label, m.kind, m.by_name, ${data})`, text))
  if (person !== undefined) filters.push(containsText(sql`coalesce(m.by_name, '')`, person))
  if (device !== undefined) filters.push(containsText(sql`s.label`, device))
  if (before) filters.push(sql<boolean>`(m.at, m.id) < (${before.at}, ${before.id}::uuid)`)
  return filters
}

const containsText = (column: RawBuilder<unknown>, part: string) =>
  sql<boolean>`position(lower(${part}) in lower(${column})) > 0`
