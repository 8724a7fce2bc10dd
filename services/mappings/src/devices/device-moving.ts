import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { CallerCtx, Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '@longreach/core/contract'
import type { MoveItem } from '@longreach/core/device-move-contract'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { toAsking } from '../asking.ts'
import { checkLabelUnique } from './device-labels.ts'
import { noDevice } from './device-refusals.ts'
import { noConfigurationYet } from '../presets/preset-devices-store.ts'
import { updateDevice } from './device-store.ts'
import type { moveEndpoints } from './move-contract.ts'
import { credentialsFate, toMoveItem } from './move-items.ts'
import { presetOf, ensurePresetIn, planPresetMove } from './preset-moving.ts'
import { recordMoment } from './record-moment.ts'

type Moving = Pick<Handlers<typeof mappingsContract>, keyof typeof moveEndpoints>

/** Handlers that change and move a device; core says who may, and knows the organizations. */
export const deviceMoving = (deps: MappingsDeps): Moving => ({
  changeCoreDevice: async ({ params, body }, ctx) => {
    const { organization: _organization, ...device } = await permitted(deps, ctx, {
      device: params.device,
      action: 'update',
    })
    const { label, organization } = await changeTexts(deps, ctx, { device, body })
    // The event says the same soon; the next question to core need not wait for it.
    const devices = [{ device: device.hwId, label, orgResourceId: organization, groups: [] }]
    await deps.clients.core.placeDevices({ body: { ...toAsking(ctx), devices } })
    return { ...device, alias: label, label }
  },

  moveCheck: async ({ params, query: { organizationImportToken } }, ctx) => {
    const asked = { device: params.device, action: 'delete' as const }
    const { organization: from, ...device } = await permitted(deps, ctx, asked)
    const { to, items } = await deps.clients.core.moveLosses({
      body: { ...toAsking(ctx), organizationImportToken, devices: [device.hwId] },
    })
    if (to.resourceId === from.resourceId) throw alreadyThere(to.label)
    const place = { from: from.resourceId, to: to.resourceId }
    const own = await toMoveItems(deps.db, device.hwId, place)
    return { device, from, to, items: [...own, ...items] }
  },

  moveDevice: async ({ params: { device }, body }, ctx) =>
    moveDevice(deps, ctx, { device, token: body.organizationImportToken, notes: body.notes }),
})

type Asked = { device: string; action: 'update' | 'delete' }

const permitted = ({ clients }: MappingsDeps, ctx: OrgCtx, { device, action }: Asked) =>
  clients.core.permittedDevice({ params: { device }, body: { ...toAsking(ctx), action } })

type Body = Parameters<Moving['changeCoreDevice']>[0]['body']

const changeTexts = (
  { db, now }: MappingsDeps,
  ctx: OrgCtx,
  { device, body }: { device: { hwId: string; label: string }; body: Body },
) =>
  db.transaction().execute(async (tx) => {
    const { hwId: deviceId } = device
    const row = await held(tx, deviceId)
    const { label = row.label, description, serialNumber } = body
    await checkLabelUnique(tx, { id: deviceId, organization: row.organization, label })
    await updateDevice(tx, deviceId, {
      label,
      updated_at: now(),
      ...(description !== undefined && { description }),
      ...(serialNumber !== undefined && { serial_number: serialNumber }),
    })
    const event = { deviceId, configurationChanged: false, label }
    await publish(tx, mappingsContract.events.deviceChanged, event)
    const change = { resource: 'devices', action: 'update', id: deviceId, label }
    await recordChange(tx, ctx, { ...change, before: { label: device.label }, after: body })
    return { label, organization: row.organization }
  })

const alreadyThere = (label: string) =>
  failure(coreContract, 'import_token_refused', {
    field: 'organizationImportToken',
    message: `The device is in ${label} already; ask the other organization for a token`,
  })

type Places = { from: string; to: string }

/** Items of a move's check about the device itself: its history, credentials, notes, model and preset. */
async function toMoveItems(
  db: Kysely<MappingsDb>,
  deviceId: string,
  { from, to }: Places,
): Promise<z.output<typeof MoveItem>[]> {
  const preset = await presetOf(db, deviceId)
  if (preset === undefined) throw noDevice(deviceId)
  const always = [
    toMoveItem('history', 'goes', []),
    toMoveItem('credentials', credentialsFate(from, to), []),
    toMoveItem('notes', 'left', []),
  ]
  if (preset === null) return always
  const { outcome } = await planPresetMove(db, preset, to)
  const fate = outcome === 'there' ? 'goes' : outcome
  return [
    ...always,
    toMoveItem('model', fate, [`${preset.model_name} ${preset.model_version}`]),
    toMoveItem('preset', fate, [preset.name]),
  ]
}

type Using = {
  device: string
  token: string
  /** Name of a run that uses the token for many devices. */
  work?: string
  /** Description, attributes, comments and the time-line of before go along; else they stay behind. */
  notes: boolean
}

/** Gives a device that the caller may delete to the organization of a token; core uses the token up first. */
export async function moveDevice(
  deps: MappingsDeps,
  ctx: OrgCtx,
  { device: reference, token, work, notes }: Using,
) {
  const { core } = deps.clients
  const use = { organizationImportToken: token, ...(work !== undefined && { work }) }
  const asked = { params: { device: reference }, body: { ...toAsking(ctx), ...use } }
  const { device, to } = await core.beginMove(asked)
  const params = { device: device.hwId }
  const place = { from: device.orgResourceId, to: to.resourceId }
  const moved = await changeOrganization(deps, ctx, device.hwId, {
    ...place,
    toRealm: to.realm,
    notes,
  }).catch(async (error: unknown) => {
    await core.endMove({ params, body: use })
    throw error
  })
  await core.endMove({ params, body: { ...use, moved: { ...place, label: moved.label } } })
  return { ...device, label: moved.label, orgResourceId: to.resourceId }
}

type Move = Places & { toRealm: string; notes: boolean }

// oxlint-disable-next-line max-params -- who moves what, and where
const changeOrganization = (
  { db, now }: MappingsDeps,
  ctx: OrgCtx,
  deviceId: string,
  { from, to, toRealm, notes }: Move,
) =>
  db.transaction().execute(async (tx) => {
    const row = await held(tx, deviceId)
    // Asked for again after it was done: the first time counts.
    if (row.organization === to) return { label: row.label }
    if (row.organization !== from) throw noDevice(deviceId)
    const way = 'Rename one of the two before the move.'
    await checkLabelUnique(tx, { id: deviceId, organization: to, label: row.label }, way)
    const preset = await presetOf(tx, deviceId)
    const at = now()
    const presetId = preset ? await ensurePresetIn(tx, preset, { to, toRealm, at }) : null
    const lost = row.preset_id !== null && presetId === null
    // The realm of its topics and certificate stays: the device itself notices nothing.
    await updateDevice(tx, deviceId, {
      organization: to,
      preset_id: presetId,
      groups: [],
      updated_at: at,
      ...(!notes && { description: '', attributes: '{}' }),
      ...(lost && noConfigurationYet),
    })
    const { label } = row
    await publish(tx, mappingsContract.events.deviceMoved, { deviceId, label, from, to, notes })
    const event = { deviceId, configurationChanged: lost, label }
    await publish(tx, mappingsContract.events.deviceChanged, event)
    await recordMove(tx, { ...ctx, now: at }, { deviceId, label, from, to })
    return { label }
  })

type Moved = Places & { deviceId: string; label: string }

/** In the trails of both organizations and on the device's time-line, together with the move itself. */
async function recordMove(
  tx: Kysely<MappingsDb>,
  { caller, ip, signal, now, call }: CallerCtx,
  { deviceId, label, from, to }: Moved,
) {
  const name = call?.name ?? 'core.moveDevice'
  const ctx = { caller, ip, signal, now, call: { name, recorded: false } }
  const what = { resource: 'devices', action: 'move', id: deviceId, label }
  const places = { before: { organization: from }, after: { organization: to } }
  for (const organization of [from, to]) {
    await recordChange(tx, ctx, { ...what, ...places, organization })
  }
  const moment = { deviceId, orgResourceId: to, at: now, kind: 'moved' }
  await recordMoment(tx, { ...moment, data: { from, to }, by: caller.username })
}

async function held(tx: Kysely<MappingsDb>, deviceId: string) {
  const row = await tx
    .selectFrom('device')
    .select(['organization', 'label', 'preset_id'])
    .where('id', '=', deviceId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw noDevice(deviceId)
  return row
}
