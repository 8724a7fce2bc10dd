import { canDevice } from '@longreach/authorization/can'
import type { Action } from '@longreach/authorization/permissions'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { groupsOfDevice } from '../policies/policy-store.ts'
import type { CoreDevice, DeviceInShort } from './device-contract.ts'
import { type DeviceRow, devicesFor, findDevice } from './device-store.ts'

export const toCoreDevice = ({ id, label, ...row }: DeviceRow): CoreDevice => ({
  id: row.number,
  alias: label,
  deviceAlias: label,
  label,
  hwId: id,
  deleted: false,
  realm: { id: row.realm_id, name: row.realm, deleted: false },
  securityPolicyGroups: row.groups,
  vpnName: null,
  orgResourceId: row.resource_id,
})

export const toDeviceInShort = ({ id, number, label, resource_id }: DeviceRow): DeviceInShort => ({
  id: number,
  alias: label,
  label,
  hwId: id,
  orgResourceId: resource_id,
})

export const noDevice = (name: string) =>
  failure(coreContract, 'not_found', { message: `There is no device ${name} in this organization` })

/** A device that the caller sees and may do `action` on; 404 when they do not see it. */
export async function deviceFor(
  { db }: { db: Kysely<CoreDb> },
  ctx: OrgCtx,
  { id, action }: { id: string; action: Action },
) {
  const row = await findDevice(db, id, devicesFor(ctx, 'read'))
  if (!row) throw noDevice(id)
  if (canDevice(ctx.capability, action, await groupsOfDevice(db, id))) return row
  throw new AppError(403, 'auth.missing_permission', { permission: `devices:${action}` })
}
