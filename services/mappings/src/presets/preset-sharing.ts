import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { reachOf } from '@longreach/authorization/reach'
import { devicesFor } from '../reach.ts'
import { mappingsOf } from './platform-mappings.ts'
import { requirePreset, noPreset } from './preset-handlers.ts'
import { recordPreset } from './preset-trail.ts'
import { lockPreset, presetTexts, sharePreset, usesOf } from './preset-store.ts'

type Keys = 'sharePreset' | 'presetUses' | 'platformMappings'
/** Presets whose paths one answer lists. */
const mostPresets = 200
const mostIds = 1_000

/** Handlers for the sharing of presets, the number of devices that use them, and their endpoints. */
export const presetSharing = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  sharePreset: async ({ params: { id }, body: { data } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await lockPreset(tx, reachOf(ctx), id)
      if (!before) throw noPreset(id)
      await sharePreset(tx, id, data)
      await recordPreset(tx, ctx, { before, after: { ...before, sub_orgs_enabled_to_view: data } })
      return { data }
    }),

  presetUses: async ({ query: { ids } }, ctx) => {
    if (ids.length > mostIds) throw tooManyPresets(ids.length)
    const uses = new Map(
      (await usesOf(db, ids, devicesFor(ctx, 'read'))).map((one) => [one.id, one]),
    )
    return ids.map((id) => {
      const { devices = 0, applied = 0, error = 0 } = uses.get(id) ?? {}
      return { id, devices, applied, error, pending: devices - applied - error }
    })
  },

  platformMappings: async ({ query: { presetId, modeFilter, modelPath } }, ctx) => {
    if (presetId !== undefined) await requirePreset(db, ctx, presetId)
    const texts = await presetTexts(db, reachOf(ctx), { id: presetId, most: mostPresets })
    return texts.flatMap(({ compiled }) =>
      mappingsOf(readConfiguration(compiled), { modeFilter, modelPath }),
    )
  },
})

const tooManyPresets = (count: number) =>
  failure(mappingsContract, 'too_many', {
    message: `${count} presets are asked for, and one answer has at most ${mostIds}.`,
    field: 'ids',
  })
