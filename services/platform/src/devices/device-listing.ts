import { type DeviceColumns, inCallSql } from '@longreach/authorization/device-visibility'
import { isWithinSql } from '@longreach/authorization/reach'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { PlatformDb } from './device-state-store.ts'

/** Ids of the devices with a label, at most one in each organization, here and below. */
export const devicesOfLabel = (db: Kysely<PlatformDb>, org: string, label: string) =>
  ids(fromOrganization(db, org).where('label', '=', label).limit(100))

/** Ids of the devices in a device group, here and below; at most 1,000. */
export const listDevicesOfGroup = (db: Kysely<PlatformDb>, org: string, group: number) =>
  ids(
    fromOrganization(db, org)
      .where(sql<SqlBool>`${group} = any(groups)`)
      .limit(1_000),
  )

async function ids(query: { execute: () => Promise<{ device_id: string }[]> }) {
  return (await query.execute()).map((row) => row.device_id)
}

const present = (db: Kysely<PlatformDb>) =>
  db.selectFrom('device_state').where('deleted', '=', false)

const fromOrganization = (db: Kysely<PlatformDb>, organization: string) =>
  present(db)
    .select('device_id')
    .where(where(isWithinSql({ organization, subtree: true }, 'org')))

const columns: DeviceColumns = { organization: 'org', groups: ['groups && ', '::int[]'] }

type Page = { page: number; pageSize: number }

/** One page of the devices that the caller may read, by id, and their number. */
export async function listDevices(db: Kysely<PlatformDb>, ctx: OrgCtx, { page, pageSize }: Page) {
  const query = present(db).where(where(inCallSql(ctx, 'read', columns)))
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll()
    .orderBy('device_id')
    .offset(page * pageSize)
    .limit(pageSize)
    .execute()
  return { rows, count }
}
