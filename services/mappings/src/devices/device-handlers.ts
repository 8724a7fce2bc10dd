import { pathReach } from '@longreach/authorization/can-path'
import type { Action } from '@longreach/authorization/permissions'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { MappingsDeps } from '../deps.ts'
import { newDeviceId } from '../ids.ts'
import { presetForDevice } from '../presets/preset-store.ts'
import { devicesFor } from '../reach.ts'
import { readAttribute, checkAttributeLimit, positionValues } from './attribute-values.ts'
import { toAsking } from '../asking.ts'
import { publishCreated } from './device-created.ts'
import { checkLabelUnique } from './device-labels.ts'
import { noDevice, notAllowed } from './device-refusals.ts'
import {
  type Changes,
  deviceById,
  findDevice,
  insertDevice,
  lockDevice,
  setAttributes,
  updateDevice,
} from './device-store.ts'
import { toDevice } from './device-wire.ts'

type Keys = 'createDevice' | 'updateDevice' | 'setAttribute'

/** Handlers that make and change devices, but for their preset. */
export const deviceHandlers = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  createDevice: async ({ body }, ctx) => {
    const { resourceId: organization, realm } = ctx.organization
    const { label, description, serialNumber: serial_number, tags, presetId, position } = body
    const id = newDeviceId()
    const preset_id = presetId ?? null
    const attributes = position ? positionValues([position.lat, position.lon]) : {}
    const texts = { label, description, serial_number, tags }
    const fresh = { id, organization, realm, ...texts, preset_id, attributes }
    const made = await deps.db.transaction().execute(async (tx) => {
      await checkLabelUnique(tx, fresh)
      if (preset_id !== null) await presetForDevice(tx, organization, preset_id)
      await insertDevice(tx, fresh, ctx.now)
      const event = { deviceId: id, label, orgResourceId: organization }
      await publishCreated(tx, { ...event, at: ctx.now, by: ctx.caller.username })
      // Who makes a device is shown it, also while it is in no group of theirs.
      const row = await findDevice(tx, id, sql<boolean>`true`)
      if (!row) throw noDevice(id)
      return toDevice(ctx, row)
    })
    const groups = await placedNow(deps, ctx, made)
    return groups ? { ...made, groups } : made
  },

  updateDevice: async ({ params: { id }, body }, ctx) => {
    const row = await changeDevice(deps.db, ctx, id, async (tx, before) => {
      if ('key' in body) return putAttributes(tx, ctx, before, readAttribute(body))
      const { position } = body
      if (position !== undefined) {
        const place = position ? [position.lat, position.lon] : undefined
        await putAttributes(tx, ctx, before, positionValues(place))
      }
      const { label = before.label } = body
      if (label !== before.label) await checkLabelUnique(tx, { ...before, label })
      return updateDevice(tx, id, changesOf(body, ctx.now))
    })
    const facts = await deviceById(deps.db, id)
    // It names every path of the device.
    const all = pathReach(ctx.capability, 'read', row.groups) === 'all'
    return { ...toDevice(ctx, row), configurationJson: all ? (facts?.compiled ?? null) : null }
  },

  setAttribute: async ({ params: { id }, body }, ctx) =>
    toDevice(
      ctx,
      await changeDevice(deps.db, ctx, id, (tx, before) =>
        putAttributes(tx, ctx, before, readAttribute(body)),
      ),
    ),
})

type Db = Kysely<MappingsDb>
type Made = { id: string; label: string; orgResourceId: string }

/** Core gives the device its groups before it is answered, since the next call of a script may ask core. */
async function placedNow({ db, clients, log }: MappingsDeps, ctx: OrgCtx, made: Made) {
  const { id, label, orgResourceId } = made
  const devices = [{ device: id, label, orgResourceId, groups: [] }]
  try {
    const [placed] = await clients.core.placeDevices({ body: { ...toAsking(ctx), devices } })
    const groups = placed?.groups ?? []
    await updateDevice(db, id, { groups })
    return groups
  } catch (error) {
    // The device is made, and the event of it reaches core when it is there again.
    log.warn({ error, id }, 'core could not be told of a new device at once')
    return undefined
  }
}

/** Hold a device that the caller may see and do `action` on; 404 when they do not see it. */
export async function lockFor(tx: Db, ctx: OrgCtx, id: string, action: Action) {
  const row = await lockDevice(tx, id, devicesFor(ctx, 'read'))
  if (!row) throw noDevice(id)
  if (!(await lockDevice(tx, id, devicesFor(ctx, action)))) throw notAllowed(id, action)
  return row
}

type Held = Awaited<ReturnType<typeof lockFor>>

/** Change a device that the caller may update and publish it; returns the changed device. */
export const changeDevice = (
  db: Db,
  ctx: OrgCtx,
  id: string,
  change: (tx: Db, before: Held) => Promise<unknown>,
) =>
  db.transaction().execute(async (tx) => {
    await change(tx, await lockFor(tx, ctx, id, 'update'))
    const row = await findDevice(tx, id, devicesFor(ctx, 'read'))
    if (!row) throw noDevice(id)
    const event = { deviceId: id, configurationChanged: false, label: row.label }
    await publish(tx, mappingsContract.events.deviceChanged, event)
    return row
  })

/** Set attributes of a device that is held. */
export async function putAttributes(tx: Db, { now }: OrgCtx, before: Held, values: Tree) {
  checkAttributeLimit(before.attributes, values)
  await setAttributes(tx, before.id, { values, now })
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
