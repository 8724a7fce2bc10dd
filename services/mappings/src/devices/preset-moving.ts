import type { Kysely } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { newId } from '../ids.ts'
import { judgeModel, pathsOf } from '../models/model-rules.ts'
import {
  insertModel,
  lockName,
  modelByVersion,
  newestOfMajor,
  replacePaths,
} from '../models/model-store.ts'
import { insertPreset, type PresetRow } from '../presets/preset-store.ts'

type Db = Kysely<MappingsDb>

/** The preset of a device; null when it has none, undefined when there is no such device. */
export async function presetOf(db: Db, deviceId: string): Promise<PresetRow | null | undefined> {
  const device = await db
    .selectFrom('device')
    .select('preset_id')
    .where('id', '=', deviceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!device) return undefined
  if (device.preset_id === null) return null
  return db
    .selectFrom('preset')
    .selectAll()
    .where('id', '=', device.preset_id)
    .executeTakeFirstOrThrow()
}

/**
 * Outcome of a move to the other organization for the preset: `there` already; `copied` with its model;
 * or `left`, since a different model has the name and version there, and values would change meaning.
 */
export async function planPresetMove(db: Db, preset: PresetRow, to: string) {
  if (preset.sub_orgs_enabled_to_view && to.startsWith(`${preset.organization}.`)) {
    return { outcome: 'there' as const, presetId: preset.id }
  }
  const model = await db
    .selectFrom('model')
    .selectAll()
    .where('id', '=', preset.model_id)
    .executeTakeFirstOrThrow()
  const there = await modelByVersion(db, to, model)
  if (there && JSON.stringify(there.json) !== JSON.stringify(model.json)) {
    return { outcome: 'left' as const }
  }
  const named = await db
    .selectFrom('preset')
    .selectAll()
    .where('organization', '=', to)
    .where('name', '=', preset.name)
    .where('model_id', '=', there?.id ?? '')
    .executeTakeFirst()
  const same = named !== undefined && named.compiled === preset.compiled
  if (there && same) return { outcome: 'there' as const, presetId: named.id }
  return { outcome: 'copied' as const, model, there, taken: named !== undefined }
}

type Target = { to: string; toRealm: string; at: Date }

/** Copy the preset to the other organization unless it is there; returns its id there, or null if it cannot be copied. */
export async function ensurePresetIn(tx: Db, preset: PresetRow, { to, toRealm, at }: Target) {
  await lockName(tx, to, preset.model_name)
  const plan = await planPresetMove(tx, preset, to)
  if (plan.outcome === 'left') return null
  if (plan.outcome === 'there') return plan.presetId
  const model = plan.there ?? (await copyModel(tx, plan.model, { to, toRealm, at }))
  const id = newId()
  const name = plan.taken ? `${preset.name} (${id})` : preset.name
  const place = { organization: to, realm: toRealm, created_at: at, updated_at: at }
  const own = { ...preset, ...place, sub_orgs_enabled_to_view: false }
  await insertPreset(tx, { ...own, id, name, model_id: model.id })
  return id
}

type ModelRow = Exclude<Awaited<ReturnType<typeof modelByVersion>>, undefined>

async function copyModel(tx: Db, model: ModelRow, { to, toRealm, at }: Target) {
  const place = { organization: to, realm: toRealm, parent_id: null, shared: false }
  const copy = { ...model, ...place, id: newId() }
  const made = await insertModel(tx, copy, at)
  const newest = await newestOfMajor(tx, to, model)
  if (newest?.id === made.id) await replacePaths(tx, made, pathsOf(judgeModel(made.json).nodes))
  return made
}
