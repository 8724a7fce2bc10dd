import { recordChange } from '@longreach/kit/audit-trail'
import { toDataPage } from '@longreach/kit/contract'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { devicesFor, trashFor } from '../reach.ts'
import { lockFor } from './device-handlers.ts'
import { checkLabelUnique } from './device-labels.ts'
import { findDevices } from './device-list.ts'
import { orderOf } from './device-order.ts'
import { trashWhere } from '../search/device-question.ts'
import { noDevice } from './device-refusals.ts'
import {
  deleteDevice,
  type DeviceRow,
  findDevice,
  lockDevice,
  updateDevice,
} from './device-store.ts'
import { toDevice } from './device-wire.ts'
import type { DeletedDevice, trashEndpoints } from './trash-contract.ts'
import { recordMoment } from './record-moment.ts'

type Keys = keyof typeof trashEndpoints | 'deleteDevice'
type Db = Kysely<MappingsDb>

/** A deleted device can be restored for 30 days. */
export const restorableForMs = 30 * 24 * 3_600_000

/** Into the trash, out of it, and for good. */
export const deviceLife = (deps: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  deleteDevice: async ({ params: { id } }, ctx) =>
    deps.db.transaction().execute(async (tx) => {
      const row = await trashDevice(tx, ctx, id)
      return { value: { ...toDevice(ctx, row), deleted: true } }
    }),

  deletedDevices: async ({ query }, ctx) => {
    const { search, orderBy = 'deletedAt', orderDir = 'desc' } = query
    const where = await trashWhere(deps, ctx, { search })
    const order = { where, order: orderOf(orderBy), dir: orderDir }
    const { rows, total, last } = await findDevices(deps.db, order, query)
    return toDataPage(
      rows.map((row) => toDeleted(ctx, row)),
      total,
      { ...query, last },
    )
  },

  restoreDevice: async ({ params: { id }, body: { label } }, ctx) =>
    deps.db.transaction().execute(async (tx) => ({
      value: toDevice(ctx, await restoreDevice(tx, ctx, { id, label })),
    })),

  purgeDevice: async ({ params: { id } }, ctx) =>
    deps.db.transaction().execute(async (tx) => {
      const row = await lockDevice(tx, id, trashFor(ctx))
      if (!row) throw noDevice(id)
      await deleteDevice(tx, id)
      await publishLife(tx, row, 'purged')
      const what = { resource: 'devices', action: 'purge', id, label: row.label }
      await recordChange(tx, ctx, { ...what, organization: row.organization })
      return undefined
    }),
})

/** Put a device that the caller may delete into the trash. */
export async function trashDevice(tx: Db, ctx: OrgCtx, id: string): Promise<DeviceRow> {
  await lockFor(tx, ctx, id, 'delete')
  const row = await findDevice(tx, id, devicesFor(ctx, 'read'))
  if (!row) throw noDevice(id)
  await updateDevice(tx, id, { deleted_at: ctx.now, deleted_by: ctx.caller.username })
  await publishLife(tx, row, 'deleted')
  const what = { resource: 'devices', action: 'delete', id, label: row.label }
  await recordChange(tx, ctx, { ...what, organization: row.organization })
  const moment = { deviceId: id, orgResourceId: row.organization, at: ctx.now, kind: 'deleted' }
  await recordMoment(tx, { ...moment, data: {}, by: ctx.caller.username })
  return row
}

type Restoring = { id: string; label?: string | undefined }

/** Bring a device back from the trash; its name must be free, or another one given. */
export async function restoreDevice(tx: Db, ctx: OrgCtx, { id, label }: Restoring) {
  const row = await lockDevice(tx, id, trashFor(ctx))
  if (!row) throw noDevice(id)
  const named = { ...row, label: label ?? row.label }
  await checkLabelUnique(tx, named, 'Restore this one under another name.')
  const back = { deleted_at: null, deleted_by: null, updated_at: ctx.now, label: named.label }
  await updateDevice(tx, id, back)
  await publishLife(tx, named, 'restored')
  const what = { resource: 'devices', action: 'restore', id, label: named.label }
  await recordChange(tx, ctx, { ...what, organization: row.organization })
  const by = ctx.caller.username
  const moment = { deviceId: id, orgResourceId: row.organization, at: ctx.now, kind: 'restored' }
  await recordMoment(tx, { ...moment, data: { deletedAt: row.deleted_at?.getTime() }, by })
  // Who brings it back is shown it, also where they may only delete.
  const restored = await findDevice(tx, id, sql<boolean>`true`)
  if (!restored) throw noDevice(id)
  return restored
}

type Named = { id: string; organization: string; label: string }

/** Publish that a device was deleted, restored or purged. */
export const publishLife = (
  tx: Db,
  { id, organization, label }: Named,
  state: 'deleted' | 'restored' | 'purged',
) =>
  publish(tx, mappingsContract.events.deviceLife, {
    deviceId: id,
    orgResourceId: organization,
    label,
    state,
  })

function toDeleted(ctx: OrgCtx, row: DeviceRow): DeletedDevice {
  const at = row.deleted_at?.getTime() ?? 0
  const times = { deletedAt: at, purgedAt: at + restorableForMs }
  return { ...toDevice(ctx, row), ...times, deletedBy: row.deleted_by ?? '' }
}
