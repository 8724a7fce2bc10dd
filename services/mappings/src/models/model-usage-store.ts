import { type Kysely, sql } from 'kysely'
import type { MappingsDb, Tree } from '../database.ts'
import type { Reach } from '../reach.ts'
import type { ModelRow } from './model-store.ts'
import { visibleIn } from './model-visibility.ts'

export type UsingPreset = {
  id: string
  name: string
  organization: string
  modelId: string
  version: string
  devices: number
  json: Tree | null
}

const devices = sql<number>`(select count(*)::int from ${sql.table('mappings.device')} as device
  where device.preset_id = preset.id and device.deleted_at is null)`

/** Presets of any version of a name, with the number of their devices. */
export const presetsOfName = (
  db: Kysely<MappingsDb>,
  { organization, name }: { organization: string; name: string },
  withContent: boolean,
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
      devices.as('devices'),
      (withContent ? sql<Tree | null>`preset.json` : sql<Tree | null>`null`).as('json'),
    ])
    .orderBy('preset.name')
    .orderBy('preset.id')
    .execute()

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

/** How many presets and devices use any version of each of these models, by organization and name. */
export async function countUses(db: Kysely<MappingsDb>, ids: readonly string[]) {
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
    .groupBy('asked.id')
    .select((select) => [
      'asked.id',
      select.fn.countAll<number>().as('presets'),
      sql<number>`sum(${devices})::int`.as('devices'),
    ])
    .execute()
  return new Map(rows.map(({ id, presets, devices: count }) => [id, { presets, devices: count }]))
}
