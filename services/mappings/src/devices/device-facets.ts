import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'

const most = 200
type Facet = { value: string; count: number }
type Facets = Record<'tags' | 'models' | 'organizations', Facet[]>

/**
 * Tags, models and organizations of these devices, with how many devices have each. Devices are read
 * once, from an index, and counted by what few of them differ in; presets are looked up behind that.
 */
export async function facetsOf(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
): Promise<Facets> {
  const [tags, others] = await Promise.all([
    // Devices without tags are left out by the index; many devices have the same tags.
    read<Pick<Facets, 'tags'>>(
      db,
      sql`with used as materialized (
        select device.tags, count(*) as devices from mappings.device
        where device.tags <> '{}' and ${where} group by 1)
      select ${facets(sql`select one as value, sum(devices) as count
        from used, unnest(used.tags) as one group by 1`)} as tags`,
    ),
    read<Omit<Facets, 'tags'>>(
      db,
      sql`with used as materialized (
        select device.organization, device.preset_id, count(*) as devices from mappings.device
        where ${where} group by 1, 2)
      select ${facets(sql`select preset.model_name as value, sum(devices) as count
          from used join mappings.preset on preset.id = used.preset_id group by 1`)} as models,
        ${facets(sql`select organization as value, sum(devices) as count
          from used group by 1`)} as organizations`,
    ),
  ])
  return { ...tags, ...others }
}

/** Values with their numbers of devices as JSON, the most frequent first. */
const facets = (counted: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(facet order by facet.count desc, facet.value), '[]') from (
    select value, count from (${counted}) as counted order by count desc, value limit ${most}) as facet)`

async function read<T>(db: Kysely<MappingsDb>, statement: RawBuilder<unknown>): Promise<T> {
  const { rows } = await (statement as RawBuilder<T>).execute(db) // as the statement names its columns
  const [row] = rows
  if (!row) throw new Error('The facets of devices came without a row')
  return row
}
