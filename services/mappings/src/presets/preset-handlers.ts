import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import { Reply } from '@longreach/kit/reply'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { MappingsDeps } from '../deps.ts'
import { newId, newUuid } from '../ids.ts'
import { lockName } from '../models/model-store.ts'
import { usableModel } from '../models/model-visibility.ts'
import { reachOf } from '@longreach/authorization/reach'
import { readInstanceOf } from '../tree-rules.ts'
import { formulaLeaves } from './formula-leaf-rules.ts'
import type { ListedPreset as ListedPresetWire, Preset } from './preset-contract.ts'
import {
  devicesWithPreset,
  resetConfiguration,
  takePresetFromTrash,
} from './preset-devices-store.ts'
import { compiledPreset } from './preset-compiling.ts'
import { judgedPreset, type Verdict } from './preset-judgement.ts'
import { recordPreset } from './preset-trail.ts'
import {
  countPresets,
  deletePreset,
  findPreset,
  insertPreset,
  type ListedPreset,
  listPresets,
  lockPreset,
  findPresetByName,
  type PresetRow,
  updatePreset,
} from './preset-store.ts'

type Keys =
  | 'presets'
  | 'createPreset'
  | 'validatePreset'
  | 'preset'
  | 'updatePreset'
  | 'deletePreset'
  | 'deviceConfiguration'

export const presetHandlers = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  presets: async ({ query }, ctx) => {
    const { orderBy = 'name', orderDir = 'asc', search, modelId, page, pageSize } = query
    const { omitContent = false } = query
    const order = { orderBy: presetOrderOf(orderBy), orderDir, page, pageSize }
    const listed = { reach: reachOf(ctx), search, modelId, omitContent, ...order }
    const [rows, total] = await Promise.all([listPresets(db, listed), countPresets(db, listed)])
    return toDataPage(rows.map(toListed), total, query)
  },

  validatePreset: async ({ body: { data } }, ctx) => {
    const model = await requireModelOf(db, ctx.organization.resourceId, data)
    const { issues, warnings } = await judgedPreset(data, model.json)
    return { valid: issues.length === 0, issues: [...issues, ...warnings] }
  },

  createPreset: async ({ body }, ctx) =>
    db.transaction().execute(async (tx) => toPreset(await makePreset(tx, ctx, body))),

  preset: async ({ params: { id } }, ctx) => ({
    value: toPreset(await requirePreset(db, ctx, id)),
  }),

  updatePreset: async ({ params: { id }, body }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await lockPreset(tx, reachOf(ctx), id)
      if (!before) throw noPreset(id)
      refuseOlder(before, body.unchangedSince)
      const content = await changedContent(tx, before, { json: body.data, now: ctx.now })
      const wanted = { id, organization: before.organization, model: content.model_id }
      const name = await freeName(tx, wanted, body.name?.trim() ?? before.name)
      const row = await updatePreset(tx, id, { ...content, name })
      const configurationChanged = row.compiled !== before.compiled
      if (configurationChanged || formulasDiffer(before, row)) {
        await tellDevices(tx, id, { configurationChanged, by: ctx.caller.username })
      }
      await recordPreset(tx, ctx, { before, after: row })
      return { value: toPreset(row) }
    }),

  deletePreset: async ({ params: { id } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const row = await lockPreset(tx, reachOf(ctx), id)
      if (!row) throw noPreset(id)
      const { length } = await devicesWithPreset(tx, id)
      if (length > 0) {
        throw failure(mappingsContract, 'preset_in_use', {
          message: `${length} devices have this preset. Give them another one first.`,
          devices: length,
        })
      }
      await takePresetFromTrash(tx, id)
      await deletePreset(tx, id)
      await recordPreset(tx, ctx, { before: row })
      return { ...toPreset(row), deleted: true }
    }),

  deviceConfiguration: async ({ params: { id } }, ctx) =>
    asConfiguration((await requirePreset(db, ctx, id)).compiled),
})

/** Keep a new preset for the organization of the call. */
export async function makePreset(
  tx: Kysely<MappingsDb>,
  ctx: OrgCtx,
  { name, data, id = newId() }: { name: string; data: Tree; id?: string },
): Promise<PresetRow> {
  const { resourceId: organization, realm } = ctx.organization
  const content = await compiled(tx, { id, organization, json: data, now: ctx.now })
  const owner = { id, organization, realm, name: name.trim(), sub_orgs_enabled_to_view: false }
  const row = await insertPreset(tx, { ...owner, ...content, created_at: ctx.now })
  if (!row) throw nameTaken(name)
  await recordPreset(tx, ctx, { after: row })
  return row
}

const nameTaken = (name: string) =>
  failure(mappingsContract, 'preset_exists', {
    message: `There is a preset called ${name} for this version of its model. Take another name.`,
    field: 'name',
  })

type Named = Pick<PresetRow, 'id' | 'organization'> & { model: string }

async function freeName(tx: Kysely<MappingsDb>, { id, organization, model }: Named, name: string) {
  // One renaming of an organization's presets at a time: the check holds until it is kept.
  await lockName(tx, organization, 'preset names')
  const taken = await findPresetByName(tx, { organization, name, model })
  if (taken && taken.id !== id) throw nameTaken(name)
  return name
}

function refuseOlder({ updated_at }: PresetRow, unchangedSince: number | undefined) {
  if (unchangedSince === undefined || updated_at.getTime() === unchangedSince) return
  throw failure(mappingsContract, 'preset_changed', {
    message: 'Somebody else has changed this preset meanwhile. Load it again to see their change.',
    updatedAt: updated_at.getTime(),
  })
}

const formulasDiffer = (one: PresetRow, other: PresetRow) =>
  JSON.stringify(formulaLeaves(one.json)) !== JSON.stringify(formulaLeaves(other.json))

/** Every device that has the preset is to get its new configuration, the others hear nothing. */
async function tellDevices(
  tx: Kysely<MappingsDb>,
  id: string,
  change: { configurationChanged: boolean; by: string },
) {
  if (change.configurationChanged) await resetConfiguration(tx, id)
  const changed = await devicesWithPreset(tx, id)
  await publishAll(
    tx,
    mappingsContract.events.deviceChanged,
    changed.map((deviceId) => ({ deviceId, ...change })),
  )
}

/** A configuration as it is stored, byte for byte. */
export const asConfiguration = (text: string) =>
  new Reply(200, { 'content-type': 'application/json; charset=utf-8' }, text)

type Asked = { id: string; organization: string; json: Tree; now: Date; uuid?: string }

/** The content after a change; what is stored already is not judged again, so that it can be renamed. */
async function changedContent(
  tx: Kysely<MappingsDb>,
  before: PresetRow,
  { json, now }: { json: Tree | undefined; now: Date },
) {
  const same = json === undefined || isDeepStrictEqual(json, before.json)
  return same ? { ...before, updated_at: now } : compiled(tx, { ...before, json, now })
}

/** A preset's content with its configuration; 422 with every place that is wrong. */
async function compiled(tx: Kysely<MappingsDb>, { id, organization, json, now, uuid }: Asked) {
  const model = await requireModelOf(tx, organization, json)
  refuseBad(await judgedPreset(json, model.json))
  const posted = json['UUID']
  const good = typeof posted === 'string' && /^[a-z0-9]{16}$/.test(posted)
  const instance = good ? posted : (uuid ?? newUuid())
  const text = await compiledPreset({ id, uuid: instance, json })
  return {
    model_id: model.id,
    model_name: model.name,
    model_version: model.version,
    uuid: instance,
    json,
    compiled: text,
    updated_at: now,
  }
}

function refuseBad({ issues, missing }: Verdict) {
  if (issues.length === 0) return
  const message = issues
    .slice(0, 5)
    .map(({ path, message: why }) => `${path || 'data'}: ${why}`)
    .join('; ')
  throw failure(mappingsContract, missing.length > 0 ? 'preset_path_missing' : 'preset_invalid', {
    message: `The preset is not good: ${message}.`,
    issues,
    missing,
  })
}

export async function requireModelOf(db: Kysely<MappingsDb>, organization: string, json: Tree) {
  const instance = readInstanceOf(json['instanceOf'])
  const model = instance && (await usableModel(db, organization, instance))
  if (model) return model
  throw failure(mappingsContract, 'no_such_model', {
    message: `instanceOf must name a model of this organization, or one shared with it, and its version, and ${JSON.stringify(json['instanceOf'] ?? null)} does not.`,
    field: 'instanceOf',
  })
}

const sortable = new Map([
  ['name', sql`lower(preset.name)`],
  ['creationDate', sql`preset.created_at`],
  ['updatedAt', sql`preset.updated_at`],
  ['modelName', sql`lower(preset.model_name)`],
])
function presetOrderOf(orderBy: string) {
  const order = sortable.get(orderBy)
  if (order) return order
  throw failure(mappingsContract, 'bad_order', {
    message: `Presets cannot be ordered by ${orderBy}; use one of ${[...sortable.keys()].join(', ')}.`,
    field: 'orderBy',
  })
}

export async function requirePreset(db: Kysely<MappingsDb>, ctx: OrgCtx, id: string) {
  const row = await findPreset(db, reachOf(ctx), id)
  if (!row) throw noPreset(id)
  return row
}

export const noPreset = (id: string) =>
  failure(mappingsContract, 'not_found', { message: 'There is no such preset here.', id })

const toPreset = ({ json, ...row }: PresetRow): Preset => ({ ...toListed(row), json })

const toListed = ({ json, ...row }: ListedPreset): ListedPresetWire => ({
  id: row.id,
  realmId: row.realm,
  modelId: row.model_id,
  modelName: row.model_name,
  name: row.name,
  nameRaw: row.name,
  version: row.model_version,
  ...(json && { json }),
  orgResourceId: row.organization,
  deleted: false,
  subOrgsEnabledToView: row.sub_orgs_enabled_to_view,
  creationDate: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})
