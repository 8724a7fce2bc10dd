import { bitOf, type Capability, type PathGrant } from '@longreach/authorization/capability'
import { pathReach, reaches } from '@longreach/authorization/can-path'
import {
  type DeviceColumns,
  inCallSql,
  inGroupsSql,
} from '@longreach/authorization/device-visibility'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

const columns: DeviceColumns = { organization: 'o.org', groups: ['d.groups && ', '::int[]'] }

/** Rows of a call: occurrences `o` of devices `d` that the caller may see. */
export type Visible = {
  /** Condition of the rows. */
  rows: RawBuilder<boolean>
  /** Condition that the caller sees every value of the device; undefined when that holds for all rows. */
  allValues: RawBuilder<boolean> | undefined
}

/** Occurrences and their devices. */
export const occurrences = sql`alarms.occurrence o join alarms.device d on d.device_id = o.device_id`

/** Condition of the devices `d` of the call, whose organization is in `organization`. */
export const devicesOfCall = (ctx: OrgCtx, organization = 'o.org'): RawBuilder<boolean> =>
  sql<boolean>`(not d.deleted and ${where(inCallSql(ctx, 'read', { ...columns, organization }))})`

/** Rights on some paths of devices that show these devices. */
const grantsOf = ({ paths = [] }: Capability) =>
  paths.filter(({ mask }) => (mask & bitOf('read')) !== 0)

/** True when a right on some paths may limit what the caller sees of a device. */
export const isLimitedToPaths = ({ capability }: Pick<OrgCtx, 'capability'>) =>
  grantsOf(capability).length > 0

/**
 * Rows that the caller may see. On a device of which they may read some paths alone, these are alarms
 * of rules that judge these paths alone.
 */
export async function visibleTo(db: Kysely<AlarmsDb>, ctx: OrgCtx): Promise<Visible> {
  const devices = devicesOfCall(ctx)
  const grants = grantsOf(ctx.capability)
  if (grants.length === 0) return { rows: devices, allValues: undefined }
  const free = { ...ctx.capability, paths: [] }
  const allValues = where(inGroupsSql(free, 'read', columns.groups))
  const used = (await db.selectFrom('used_path').select('path').execute()).map(({ path }) => path)
  const granted = grants.map((grant) => grantedSql(grant, used))
  const onPaths = sql`o.paths is not null and not exists (select from unnest(o.paths) as judged(path)
    where not (${sql.join(granted, sql` or `)}))`
  return { rows: sql<boolean>`(${devices} and (${allValues} or (${onPaths})))`, allValues }
}

function grantedSql(grant: PathGrant, used: readonly string[]) {
  const allowed = used.filter(
    pathTestOf({ grants: {}, deviceGroups: [], paths: [anyDevice(grant)] }),
  )
  const onDevice = grant.groups === null ? sql`true` : sql`d.groups && ${grant.groups}::int[]`
  return sql`(${onDevice} and judged.path = any(${allowed}::text[]))`
}

const anyDevice = (grant: PathGrant): PathGrant => ({ ...grant, groups: null })

/** Test of the paths of a device whose values the caller may see, newest or past ones. */
export function pathTestOf(capability: Capability, groups: readonly number[] = []) {
  const live = pathReach(capability, 'read', groups)
  const past = pathReach(capability, 'history', groups)
  return (path: string) => reaches(live, path) || reaches(past, path)
}

/** True when the caller sees the values of every path of a device in these groups. */
export const seesAllValues = (capability: Capability, groups: readonly number[]) =>
  pathReach(capability, 'read', groups) === 'all'
