import {
  type DeviceColumns,
  inCallSql,
  inSightSql,
} from '@longreach/authorization/device-visibility'
import type { Action } from '@longreach/authorization/permissions'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>
const columns: DeviceColumns = {
  organization: 'place.resource_id',
  around: ['d.organization_id in (select place.id from core.organization place where ', ')'],
  groups: [
    'exists (select from core.policy_device pd where pd.device_id = d.id and pd.policy_id = any(',
    '::int[]))',
  ],
}

/** Devices `d` of the call on which the caller may do `action`. */
export const devicesFor = (ctx: OrgCtx, action: Action) => where(inCallSql(ctx, action, columns))

/** Devices `d` here and below on which the caller may do `action`. */
export const devicesInSight = (ctx: OrgCtx, action: Action) =>
  where(inSightSql(ctx, action, columns))

const devicesWithPlace = (db: Executor) =>
  db
    .selectFrom('device as d')
    .innerJoin('organization as o', 'o.id', 'd.organization_id')
    .innerJoin('organization as root', 'root.resource_id', 'o.realm')
    .select(['d.id', 'd.number', 'd.label', 'o.resource_id', 'o.realm', 'root.id as realm_id'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('policy_device as pd')
          .innerJoin('security_policy as p', 'p.id', 'pd.policy_id')
          .select(['p.id', 'p.name', 'p.type'])
          .whereRef('pd.device_id', '=', 'd.id')
          .whereRef('p.organization_id', '=', 'd.organization_id')
          .orderBy('p.id'),
      ).as('groups'),
    )

export type DeviceRow = Awaited<
  ReturnType<ReturnType<typeof devicesWithPlace>['executeTakeFirstOrThrow']>
>

export type DeviceQuestion = {
  search?: string | undefined
  deviceAlias?: string | undefined
  deviceHwId?: string | undefined
  deviceId?: string | undefined
  deviceLabel?: string | undefined
  securityPolicyGroupId?: number | undefined
  page: number
  pageSize: number
}

/** One page of devices by label, and how many there are. */
export async function listDevices(
  db: Executor,
  visible: RawBuilder<boolean>,
  asked: DeviceQuestion,
) {
  let query = devicesWithPlace(db).where(visible)
  const { search, securityPolicyGroupId } = asked
  for (const id of [asked.deviceId, asked.deviceHwId]) {
    if (id !== undefined) query = query.where('d.id', '=', id)
  }
  for (const label of [asked.deviceLabel, asked.deviceAlias]) {
    if (label !== undefined) query = query.where('d.label', '=', label)
  }
  if (search !== undefined) {
    query = query.where(containsText(sql`(d.label || ' ' || d.id)`, search))
  }
  if (securityPolicyGroupId !== undefined) {
    query = query.where('d.id', 'in', (eb) =>
      eb
        .selectFrom('policy_device')
        .select('device_id')
        .where('policy_id', '=', securityPolicyGroupId),
    )
  }
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(sql`lower(d.label)`)
    .orderBy('d.id')
    .limit(asked.pageSize)
    .offset(asked.page * asked.pageSize)
    .execute()
  return { rows, total }
}

export const findDevice = (db: Executor, id: string, visible: RawBuilder<boolean>) =>
  devicesWithPlace(db).where('d.id', '=', id).where(visible).executeTakeFirst()

export const findDeviceByLabel = (db: Executor, label: string, visible: RawBuilder<boolean>) =>
  devicesWithPlace(db)
    .where('d.label', '=', label)
    .where(visible)
    .orderBy('d.id')
    .executeTakeFirst()
