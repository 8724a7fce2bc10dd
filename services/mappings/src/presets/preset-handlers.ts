import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import { Reply } from '@longreach/kit/reply'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb, Tree } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { devicesWithPreset, resetConfiguration } from '../devices/device-store.ts'
import { newId, newUuid } from '../ids.ts'
import { modelByVersion } from '../models/model-store.ts'
import { reachOf } from '../reach.ts'
import { readInstanceOf } from '../tree-rules.ts'
import { compilePreset } from './compile-preset.ts'
import type { Preset } from './preset-contract.ts'
import { type JudgedPreset, judgePreset } from './preset-rules.ts'
import {
  countPresets,
  deletePreset,
  findPreset,
  insertPreset,
  listPresets,
  lockPreset,
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
    const order = { orderBy: orderOf(orderBy), orderDir, page, pageSize }
    const listed = { reach: reachOf(ctx), search, modelId, ...order }
    const [rows, total] = await Promise.all([listPresets(db, listed), countPresets(db, listed)])
    return toDataPage(rows.map(toPreset), total, query)
  },

  validatePreset: async ({ body: { data } }, ctx) => {
    const model = await modelOf(db, ctx.organization.resourceId, data)
    const { issues } = judgePreset(data, model.json)
    return { valid: issues.length === 0, issues }
  },

  createPreset: async ({ body: { name, data } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const { resourceId: organization, realm } = ctx.organization
      const id = newId()
      const content = await compiled(tx, { id, organization, json: data, now: ctx.now })
      const owner = { id, organization, realm, name: name.trim() }
      const row = await insertPreset(tx, { ...owner, ...content, created_at: ctx.now })
      if (row) return toPreset(row)
      throw failure(mappingsContract, 'preset_exists', {
        message: `There is a preset called ${name}. Take another name.`,
        field: 'name',
      })
    }),

  preset: async ({ params: { id } }, ctx) => ({ value: toPreset(await existing(db, ctx, id)) }),

  updatePreset: async ({ params: { id }, body: { data } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await lockPreset(tx, reachOf(ctx), id)
      if (!before) throw noPreset(id)
      const { organization, uuid } = before
      const content = await compiled(tx, { id, organization, json: data, now: ctx.now, uuid })
      const row = await updatePreset(tx, id, content)
      if (row.compiled !== before.compiled) {
        await resetConfiguration(tx, id)
        const changed = await devicesWithPreset(tx, id)
        await publishAll(
          tx,
          mappingsContract.events.deviceChanged,
          changed.map((deviceId) => ({ deviceId, configurationChanged: true })),
        )
      }
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
      await deletePreset(tx, id)
      return { ...toPreset(row), deleted: true }
    }),

  deviceConfiguration: async ({ params: { id } }, ctx) =>
    asConfiguration((await existing(db, ctx, id)).compiled),
})

/** A configuration as it is stored, byte for byte. */
export const asConfiguration = (text: string) =>
  new Reply(200, { 'content-type': 'application/json; charset=utf-8' }, text)

type Asked = { id: string; organization: string; json: Tree; now: Date; uuid?: string }

/** A preset's content with its configuration; 422 with every place that is wrong. */
async function compiled(tx: Kysely<MappingsDb>, { id, organization, json, now, uuid }: Asked) {
  const model = await modelOf(tx, organization, json)
  refuseBad(judgePreset(json, model.json))
  const posted = json['UUID']
  const good = typeof posted === 'string' && /^[a-z0-9]{16}$/.test(posted)
  const instance = good ? posted : (uuid ?? newUuid())
  const text = compilePreset({ id, uuid: instance, json })
  if (text === undefined) throw new Error('A judged preset did not compile')
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

function refuseBad({ issues, missing }: JudgedPreset) {
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

async function modelOf(db: Kysely<MappingsDb>, organization: string, json: Tree) {
  const instance = readInstanceOf(json['instanceOf'])
  const model = instance && (await modelByVersion(db, organization, instance))
  if (model) return model
  throw failure(mappingsContract, 'no_such_model', {
    message: `instanceOf must name a model of this organization and its version, and ${JSON.stringify(json['instanceOf'] ?? null)} does not.`,
    field: 'instanceOf',
  })
}

const sortable = new Map([
  ['name', sql`lower(preset.name)`],
  ['creationDate', sql`preset.created_at`],
  ['updatedAt', sql`preset.updated_at`],
  ['modelName', sql`lower(preset.model_name)`],
])
function orderOf(orderBy: string) {
  const order = sortable.get(orderBy)
  if (order) return order
  throw failure(mappingsContract, 'bad_order', {
    message: `Presets cannot be ordered by ${orderBy}; use one of ${[...sortable.keys()].join(', ')}.`,
    field: 'orderBy',
  })
}

async function existing(db: Kysely<MappingsDb>, ctx: OrgCtx, id: string) {
  const row = await findPreset(db, reachOf(ctx), id)
  if (!row) throw noPreset(id)
  return row
}

const noPreset = (id: string) =>
  failure(mappingsContract, 'not_found', { message: 'There is no such preset here.', id })

const toPreset = (row: PresetRow): Preset => ({
  id: row.id,
  realmId: row.realm,
  modelId: row.model_id,
  modelName: row.model_name,
  name: row.name,
  nameRaw: row.name,
  version: row.model_version,
  json: row.json,
  orgResourceId: row.organization,
  deleted: false,
  creationDate: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})
