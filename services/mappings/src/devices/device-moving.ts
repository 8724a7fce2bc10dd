import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import type { Caller, CallerCtx, Handlers } from '@longreach/kit/service'
import { recordMoment } from '@longreach/kit/time-line'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { checkLabelUnique } from './device-labels.ts'
import { noDevice } from './device-refusals.ts'
import { noConfigurationYet } from '../presets/preset-devices-store.ts'
import { updateDevice } from './device-store.ts'
import type { moveEndpoints } from './move-contract.ts'
import { presetOf, ensurePresetIn, planPresetMove } from './preset-moving.ts'

type Moving = Pick<Handlers<typeof mappingsContract>, keyof typeof moveEndpoints>

/** Handlers that change and move devices for core, which has checked the rights of the caller. */
export const deviceMoving = ({ db, now }: MappingsDeps): Moving => ({
  changeForCore: async ({ params: { deviceId }, body }) =>
    db.transaction().execute(async (tx) => {
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
      return { label }
    }),

  moveOutcome: async ({ params: { deviceId }, query: { to } }) => {
    const preset = await presetOf(db, deviceId)
    if (preset === undefined) throw noDevice(deviceId)
    if (preset === null) return { preset: null, model: null, outcome: 'none' }
    const { outcome } = await planPresetMove(db, preset, to)
    const model = `${preset.model_name} ${preset.model_version}`
    return { preset: preset.name, model, outcome }
  },

  moveForCore: async (
    { params: { deviceId }, body: { from, to, toRealm, notes, ...who } },
    { signal },
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
      const caller = who.caller as unknown as Caller // core sends the caller of the first call
      const ctx = { caller, ip: who.ip, now: at, signal, call: { name: who.call, recorded: false } }
      await recordMove(tx, ctx, { deviceId, label, from, to })
      return { label }
    }),
})

type Moved = { deviceId: string; label: string; from: string; to: string }

/** In the trails of both organizations and on the device's time-line, together with the move itself. */
async function recordMove(
  tx: Kysely<MappingsDb>,
  ctx: CallerCtx,
  { deviceId, label, from, to }: Moved,
) {
  const what = { resource: 'devices', action: 'move', id: deviceId, label }
  const places = { before: { organization: from }, after: { organization: to } }
  for (const organization of [from, to]) {
    await recordChange(tx, ctx, { ...what, ...places, organization })
  }
  const moment = { deviceId, orgResourceId: to, at: ctx.now, kind: 'moved' }
  await recordMoment(tx, { ...moment, data: { from, to }, by: ctx.caller.username })
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
