import { pathReach } from '@longreach/authorization/can-path'
import type { Action } from '@longreach/authorization/permissions'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { newDeviceId } from '../ids.ts'
import { presetForDevice } from '../presets/preset-store.ts'
import { devicesFor } from '../reach.ts'
import { noDevice, notAllowed } from './device-refusals.ts'
import {
  type Changes,
  deleteDevice,
  deviceById,
  findDevice,
  insertDevice,
  lockDevice,
  setAttribute,
  updateDevice,
} from './device-store.ts'
import { toDevice } from './device-wire.ts'

type Keys = 'createDevice' | 'deleteDevice' | 'updateDevice' | 'setAttribute'

/** What changes devices, but for their preset. */
export const deviceHandlers = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  createDevice: async ({ body }, ctx) => {
    const { resourceId: organization, realm } = ctx.organization
    const { label, description, serialNumber: serial_number, tags, presetId } = body
    const id = newDeviceId()
    const preset_id = presetId ?? null
    const fresh = { id, organization, realm, label, description, serial_number, tags, preset_id }
    return db.transaction().execute(async (tx) => {
      if (presetId) await presetForDevice(tx, organization, presetId)
      await insertDevice(tx, fresh, ctx.now)
      const event = { deviceId: id, label, orgResourceId: organization }
      await publish(tx, mappingsContract.events.deviceCreated, event)
      // Who makes a device is shown it, also while it is in no group of theirs.
      const row = await findDevice(tx, id, sql<boolean>`true`)
      if (!row) throw noDevice(id)
      return toDevice(row)
    })
  },

  deleteDevice: async ({ params: { id } }, ctx) =>
    db.transaction().execute(async (tx) => {
      await lockFor(tx, ctx, id, 'delete')
      const row = await findDevice(tx, id, devicesFor(ctx, 'read'))
      if (!row) throw noDevice(id)
      await deleteDevice(tx, id)
      const event = { deviceId: id, orgResourceId: row.organization }
      await publish(tx, mappingsContract.events.deviceDeleted, event)
      return { value: { ...toDevice(row), deleted: true } }
    }),

  updateDevice: async ({ params: { id }, body }, ctx) => {
    const row = await changed(db, ctx, id, (tx) =>
      'key' in body
        ? putAttribute(tx, id, { ...body, now: ctx.now })
        : updateDevice(tx, id, changesOf(body, ctx.now)),
    )
    const facts = await deviceById(db, id)
    // It names every path of the device.
    const all = pathReach(ctx.capability, 'read', row.groups) === 'all'
    return { ...toDevice(row), configurationJson: all ? (facts?.compiled ?? null) : null }
  },

  setAttribute: async ({ params: { id }, body }, ctx) =>
    toDevice(await changed(db, ctx, id, (tx) => putAttribute(tx, id, { ...body, now: ctx.now }))),
})

type Db = Kysely<MappingsDb>

/** Hold a device that the caller may see and do `action` on; 404 when they do not see it. */
export async function lockFor(tx: Db, ctx: OrgCtx, id: string, action: Action) {
  const row = await lockDevice(tx, id, devicesFor(ctx, 'read'))
  if (!row) throw noDevice(id)
  if (!(await lockDevice(tx, id, devicesFor(ctx, action)))) throw notAllowed(id, action)
  return row
}

/** Change a device that the caller may update, tell it, and answer it as it is then. */
const changed = (db: Db, ctx: OrgCtx, id: string, change: (tx: Db) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    await lockFor(tx, ctx, id, 'update')
    await change(tx)
    const row = await findDevice(tx, id, devicesFor(ctx, 'read'))
    if (!row) throw noDevice(id)
    const event = { deviceId: id, configurationChanged: false, label: row.label }
    await publish(tx, mappingsContract.events.deviceChanged, event)
    return row
  })

const largestAttribute = 65_536

async function putAttribute(
  tx: Db,
  id: string,
  { key, value, now }: { key: string; value: unknown; now: Date },
) {
  const json = JSON.stringify(value)
  if (json.length > largestAttribute) {
    throw failure(mappingsContract, 'attributes_too_large', {
      message: `An attribute has at most ${largestAttribute} characters.`,
      field: 'value',
    })
  }
  await setAttribute(tx, id, { key, json, now })
}

type Fields = {
  label?: string | undefined
  description?: string | undefined
  serialNumber?: string | undefined
  tags?: string[] | undefined
}
const changesOf = ({ label, description, serialNumber, tags }: Fields, now: Date): Changes => ({
  updated_at: now,
  ...(label !== undefined && { label }),
  ...(description !== undefined && { description }),
  ...(serialNumber !== undefined && { serial_number: serialNumber }),
  ...(tags !== undefined && { tags }),
})
