import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { type Reach } from '@longreach/authorization/reach'
import { within } from '../reach.ts'
import type { ModelRow } from './model-store.ts'
import { visibleIn } from './model-visibility.ts'

export type UsingPreset = {
  id: string
  name: string
  organization: string
  modelId: string
  version: string
  devices: number
}

type Of = { organization: string; name: string }

const devices = (counted: RawBuilder<boolean>) =>
  sql<number>`(select count(*)::int from ${sql.table('mappings.device')} as device
    where device.preset_id = preset.id and device.deleted_at is null and ${counted})`

/** Presets of any version of a name, with the number of their devices that are counted. */
export const presetsOfName = (
  db: Kysely<MappingsDb>,
  { organization, name }: Of,
  counted: RawBuilder<boolean>,
): Promise<UsingPreset[]> =>
  db
    .selectFrom('preset')
    .innerJoin('model', 'model.id', 'preset.model_id')
    .where('model.organization', '=', organization)
    .where('model.name', '=', name)
    .select([
      'preset.id',
      'preset.name',
      'preset.organization',
      'preset.model_id as modelId',
      'model.version',
      devices(counted).as('devices'),
    ])
    .orderBy('preset.name')
    .orderBy('preset.id')
    .execute()

/** The content of one preset; undefined when it has been deleted meanwhile. */
export const contentOfPreset = async (db: Kysely<MappingsDb>, id: string) =>
  (await db.selectFrom('preset').select('json').where('id', '=', id).executeTakeFirst())?.json

/** Versions after this one that the caller sees, newest first. */
export const newerVersions = (
  db: Kysely<MappingsDb>,
  reach: Reach,
  { organization, name, major, minor, patch }: ModelRow,
) =>
  db
    .selectFrom('model')
    .select(['id', 'version'])
    .where('organization', '=', organization)
    .where('name', '=', name)
    .where(visibleIn(reach, 'model'))
    .where(sql<boolean>`(major, minor, patch) > (${major}::int, ${minor}::int, ${patch}::int)`)
    .orderBy('major', 'desc')
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .execute()

/**
 * Number of presets and devices that use any version of each of these models. For a model of the
 * caller's organizations all count; for a shared one from above only those the caller may see.
 */
export async function countUses(
  db: Kysely<MappingsDb>,
  ids: readonly string[],
  { reach, counted }: { reach: Reach; counted: RawBuilder<boolean> },
) {
  if (ids.length === 0) return new Map<string, { presets: number; devices: number }>()
  const rows = await db
    .selectFrom('model as asked')
    .innerJoin('model', (join) =>
      join
        .onRef('model.organization', '=', 'asked.organization')
        .onRef('model.name', '=', 'asked.name'),
    )
    .innerJoin('preset', 'preset.model_id', 'model.id')
    .where('asked.id', 'in', ids)
    .where(usesSeen(reach))
    .groupBy('asked.id')
    .select((select) => [
      'asked.id',
      select.fn.countAll<number>().as('presets'),
      sql<number>`sum(${devices(counted)})::int`.as('devices'),
    ])
    .execute()
  return new Map(rows.map(({ id, presets, devices: count }) => [id, { presets, devices: count }]))
}

/** A `model` of the caller's reach, or a `preset` in there: of others nothing is told, not even how many. */
export const usesSeen = (reach: Reach) =>
  sql<boolean>`(${within(reach, 'model.organization')} or ${within(reach, 'preset.organization')})`
