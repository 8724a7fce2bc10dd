import { failure } from '@longreach/kit/errors'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import { type Reach } from '@longreach/authorization/reach'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { PresetTable } from './presets-tables.ts'
import { within } from '../reach.ts'

export type PresetRow = Omit<PresetTable, 'json'> & { json: Tree }

/** Organizations above this one, outermost first: what they share is seen here. */
const above = (organization: string) => {
  const parts = organization.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

const sharedWith = (organization: string) =>
  sql<boolean>`(preset.sub_orgs_enabled_to_view and preset.organization = any(${above(organization)}::text[]))`

/** Presets of the organizations asked for, and those that an organization above shares. */
const seenFrom = (reach: Reach) =>
  sql<boolean>`(${within(reach, 'preset.organization')} or ${sharedWith(reach.organization)})`

export const findPreset = (db: Kysely<MappingsDb>, reach: Reach, id: string) =>
  db.selectFrom('preset').selectAll().where('id', '=', id).where(seenFrom(reach)).executeTakeFirst()

/** The preset for changing it: two at once go one after the other. */
export const lockPreset = (tx: Kysely<MappingsDb>, reach: Reach, id: string) =>
  tx
    .selectFrom('preset')
    .selectAll()
    .where('id', '=', id)
    .where(within(reach, 'preset.organization'))
    .forUpdate()
    .executeTakeFirst()

/** A preset that a device of the organization may have; held so that nobody deletes it meanwhile. */
export async function presetForDevice(tx: Kysely<MappingsDb>, organization: string, id: string) {
  const row = await tx
    .selectFrom('preset')
    .select(['id', 'name', 'compiled'])
    .where('id', '=', id)
    .where(sql<boolean>`(preset.organization = ${organization} or ${sharedWith(organization)})`)
    .forShare()
    .executeTakeFirst()
  if (row) return row
  throw failure(mappingsContract, 'no_such_preset', {
    message: 'The organization of the device has no such preset.',
    field: 'presetId',
  })
}

type ListedPresets = {
  reach: Reach
  search?: string | undefined
  modelId?: string | undefined
  omitContent?: boolean
  orderBy: RawBuilder<unknown>
  orderDir: 'asc' | 'desc'
  page: number
  pageSize: number
}

const presetsWhere = ({ reach, search, modelId }: ListedPresets) => {
  const parts = [seenFrom(reach)]
  if (search) parts.push(sql<boolean>`strpos(lower(preset.name), ${search.toLowerCase()}) > 0`)
  if (modelId) parts.push(sql<boolean>`preset.model_id = ${modelId}`)
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

const listColumns = [
  'id',
  'organization',
  'realm',
  'name',
  'model_id',
  'model_name',
  'model_version',
  'sub_orgs_enabled_to_view',
  'created_at',
  'updated_at',
] as const
/** A preset of a list: its content may be left out, and what was compiled is. */
export type ListedPreset = Pick<PresetRow, (typeof listColumns)[number]> & { json?: Tree }

export const listPresets = (db: Kysely<MappingsDb>, listed: ListedPresets) =>
  db
    .selectFrom('preset')
    .select(listColumns)
    .$if(listed.omitContent !== true, (query) => query.select('json'))
    .where(presetsWhere(listed))
    .orderBy(listed.orderBy, listed.orderDir)
    .orderBy('id')
    .offset(listed.page * listed.pageSize)
    .limit(listed.pageSize)
    .execute()

export async function countPresets(db: Kysely<MappingsDb>, listed: ListedPresets) {
  const { total } = await db
    .selectFrom('preset')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where(presetsWhere(listed))
    .executeTakeFirstOrThrow()
  return total
}

/** Every preset that is seen here, or only one; in the order of their names, at most `most`. */
export function presetTexts(
  db: Kysely<MappingsDb>,
  reach: Reach,
  { id, most }: { id?: string | undefined; most: number },
) {
  let query = db.selectFrom('preset').select(['id', 'compiled']).where(seenFrom(reach))
  if (id !== undefined) query = query.where('id', '=', id)
  return query.orderBy('name').orderBy('id').limit(most).execute()
}

/** Undefined when the organization has a preset of this name for the same version of its model. */
export const insertPreset = (tx: Kysely<MappingsDb>, row: PresetRow) =>
  tx
    .insertInto('preset')
    .values({ ...row, json: JSON.stringify(row.json) })
    .onConflict((conflict) => conflict.columns(['organization', 'name', 'model_id']).doNothing())
    .returningAll()
    .executeTakeFirst()

type Content = Pick<
  PresetRow,
  'model_id' | 'model_name' | 'model_version' | 'uuid' | 'json' | 'compiled' | 'updated_at'
> & { name: string }

export const updatePreset = (tx: Kysely<MappingsDb>, id: string, content: Content) =>
  tx
    .updateTable('preset')
    .set({ ...content, json: JSON.stringify(content.json) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const findPresetByName = (
  tx: Kysely<MappingsDb>,
  { organization, name, model }: { organization: string; name: string; model: string },
) =>
  tx
    .selectFrom('preset')
    .select('id')
    .where('organization', '=', organization)
    .where('name', '=', name)
    .where('model_id', '=', model)
    .executeTakeFirst()

export const sharePreset = (tx: Kysely<MappingsDb>, id: string, shared: boolean) =>
  tx.updateTable('preset').set({ sub_orgs_enabled_to_view: shared }).where('id', '=', id).execute()

/** Number of the visible devices that use each preset, by the state of their configuration. */
export const usesOf = (
  db: Kysely<MappingsDb>,
  ids: readonly string[],
  visible: RawBuilder<boolean>,
) =>
  db
    .selectFrom('device')
    .select([
      'preset_id as id',
      sql<number>`count(*)`.as('devices'),
      sql<number>`count(*) filter (where configuration_applied)`.as('applied'),
      sql<number>`count(*) filter (where configuration_error is not null)`.as('error'),
    ])
    .where('preset_id', 'in', ids)
    .where(visible)
    .groupBy('preset_id')
    .execute()

export const deletePreset = (tx: Kysely<MappingsDb>, id: string) =>
  tx.deleteFrom('preset').where('id', '=', id).execute()

/** Presets of any version of a model, at most 500. */
export const presetsOfModel = (db: Kysely<MappingsDb>, reach: Reach, modelName: string) =>
  db
    .selectFrom('preset')
    .select(['id', 'name'])
    .where('model_name', '=', modelName)
    .where(seenFrom(reach))
    .orderBy('name')
    .orderBy('id')
    .limit(500)
    .execute()
