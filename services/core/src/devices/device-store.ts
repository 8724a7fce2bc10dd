import { deviceScope } from '@longreach/authorization/to-sql'
import type { Action } from '@longreach/authorization/permissions'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CoreDb } from '../database.ts'
import { holds } from '../search-text.ts'

type Executor = Kysely<CoreDb>
type Reach = Pick<OrgCtx, 'organization' | 'capability' | 'subtree'>

/** Devices of the organization, or of all below it where asked for, on which the caller may do `action`. */
export function devicesFor(reach: Reach, action: Action): RawBuilder<boolean> {
  const scope = deviceScope(reach.capability, action)
  if (!scope) return sql<boolean>`false`
  const inGroups = scope.map(
    (groups) => sql`exists (select from core.policy_device pd
      where pd.device_id = d.id and pd.policy_id = any(${groups}::int[]))`,
  )
  const place = reach.subtree
    ? sql`d.organization_id in (select t.descendant from core.organization_tree t
        join core.organization top on top.id = t.ancestor
        join core.organization place on place.id = t.descendant
        where t.ancestor = ${reach.organization.id}
          and place.private_root is not distinct from top.private_root)`
    : sql`d.organization_id = ${reach.organization.id}`
  return sql<boolean>`(${sql.join([place, ...inGroups], sql` and `)})`
}

type Sight = Reach & Pick<OrgCtx, 'below' | 'capabilityBelow'>

/**
 * Devices here by the rights that hold here, and those below by the rights that reach down, whether or
 * not the call asks for what is below.
 */
export function devicesInSight(ctx: Sight, action: Action): RawBuilder<boolean> {
  const here = devicesFor(ctx, action)
  if (ctx.subtree || !ctx.below) return here
  const capability = ctx.capabilityBelow ?? ctx.capability
  return sql<boolean>`(${here} or ${devicesFor({ ...ctx, capability, subtree: true }, action)})`
}

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
    query = query.where(holds(sql`(d.label || ' ' || d.id)`, search))
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
