import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { checkAdmission } from '@longreach/kit/admission-check'
import type { CallerCtx, Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { asConfiguration } from '../presets/preset-handlers.ts'
import { noConfigurationYet } from '../presets/preset-devices-store.ts'
import { presetForDevice } from '../presets/preset-store.ts'
import { lockFor } from './device-handlers.ts'
import { noDevice } from './device-refusals.ts'
import { deviceById, updateDevice } from './device-store.ts'
import { presetOf } from './preset-moving.ts'
import { recordMoment } from './record-moment.ts'

/** Answer for a device without preset: no configuration, which is never sent to a device. */
const none = JSON.stringify({ type: 'datamodel', properties: {} })

/** Giving a device its preset. */
export const devicePresetHandlers = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'assignPreset'> => ({
  assignPreset: async ({ params: { id }, query, body }, caller) => {
    const ctx = await inDevicesOrganization(deps, caller, { id, named: query.organization })
    const presetId = body?.presetId ?? query.presetId ?? null
    const compiled = await deps.db
      .transaction()
      .execute((tx) => assignPreset(tx, ctx, { id, presetId }))
    return asConfiguration(compiled ?? none)
  },
})

type Given = { id: string; presetId: string | null }

/** Assign a preset to a device that the caller may update, or remove it; returns the new configuration. */
export async function assignPreset(tx: Kysely<MappingsDb>, ctx: OrgCtx, { id, presetId }: Given) {
  const row = await lockFor(tx, ctx, id, 'update')
  const preset =
    presetId !== null ? await presetForDevice(tx, row.organization, presetId) : undefined
  if (presetId !== row.preset_id) {
    const before = await presetOf(tx, id)
    const changes = { ...noConfigurationYet, preset_id: presetId, updated_at: ctx.now }
    await updateDevice(tx, id, changes)
    const by = ctx.caller.username
    const event = { deviceId: id, configurationChanged: true, by }
    await publish(tx, mappingsContract.events.deviceChanged, event)
    const data = { from: before?.name ?? null, to: preset?.name ?? null }
    const moment = { deviceId: id, orgResourceId: row.organization, at: ctx.now, kind: 'preset' }
    await recordMoment(tx, { ...moment, data, by })
  }
  return preset?.compiled
}

/** The call's organization: the one that is named, or the device's own, if the caller may in there. */
async function inDevicesOrganization(
  { db, admit }: MappingsDeps,
  ctx: CallerCtx,
  { id, named }: { id: string; named: string | undefined },
): Promise<OrgCtx> {
  const below = named?.endsWith('*') ?? false
  const plain = named?.replace(/\.?\*$/, '') || (below ? ctx.caller.org : undefined)
  const organization = plain ?? (await deviceById(db, id))?.organization
  const admission = organization ? await admit(ctx.caller, organization) : undefined
  if (!admission) throw noDevice(id)
  checkAdmission(ctx.caller, ctx.ip, admission.organization)
  if (!can(admission.capability, 'devices', 'update')) {
    throw new AppError(403, 'auth.missing_permission', { permission: 'devices:update' })
  }
  return { ...ctx, ...admission, signal: ctx.signal, subtree: below && admission.below }
}
