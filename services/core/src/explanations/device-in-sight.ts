import { canInSight } from '@longreach/authorization/device-visibility'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { groupsOfDevices } from '../policies/policy-store.ts'

/** A device, the groups it is in, and the organization whose roles decide about it. */
type Sighted = {
  id: string
  label: string
  groups: number[]
  organization: { id: number; resourceId: string; dataEnabled: boolean }
}

/** The device where the caller sees it, here or below; 404 as for one that does not exist. */
export async function deviceInSight(db: Kysely<CoreDb>, ctx: OrgCtx, deviceId: string) {
  const [device] = await findDevicesInSight(db, ctx, [deviceId])
  if (device) return device
  const message = `There is no device ${deviceId} in this organization`
  throw failure(coreContract, 'not_found', { message })
}

/** Devices of these ids that the caller sees, here or below. */
export async function findDevicesInSight(
  db: Kysely<CoreDb>,
  ctx: OrgCtx,
  ids: readonly string[],
): Promise<Sighted[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('device as d')
    .innerJoin('organization as o', 'o.id', 'd.organization_id')
    .select(['d.id', 'd.label', 'o.id as place', 'o.resource_id', 'o.data_enabled'])
    .where('o.status', '=', 'ACTIVE')
    .where('d.id', 'in', ids)
    .execute()
  const groups = await groupsOfDevices(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id, label, place, resource_id, data_enabled }) => {
    const own = groups.get(id) ?? []
    if (!canInSight(ctx, 'read', { org: resource_id, groups: own })) return []
    const where = { id: place, resourceId: resource_id, dataEnabled: data_enabled }
    return [{ id, label, groups: own, organization: where }]
  })
}
