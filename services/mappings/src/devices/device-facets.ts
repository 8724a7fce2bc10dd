import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'

const most = 200
type Facet = { value: string; count: number }

/** Tags, models and organizations of these devices, with how many devices have each. */
export async function facetsOf(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const [tags, models, organizations] = await Promise.all([
    // Devices without tags are left out by the index.
    facets(
      db,
      sql`select one as value, count(*) as count
        from mappings.device, unnest(device.tags) as one
        where device.tags <> '{}' and ${where} group by 1`,
    ),
    // Presets are few: they are counted before they are looked up.
    facets(
      db,
      sql`select preset.model_name as value, sum(used.devices)::bigint as count
        from (select device.preset_id, count(*) as devices from mappings.device
          where device.preset_id is not null and ${where} group by 1) as used
        join mappings.preset on preset.id = used.preset_id group by 1`,
    ),
    facets(
      db,
      sql`select device.organization as value, count(*) as count
        from mappings.device where ${where} group by 1`,
    ),
  ])
  return { tags, models, organizations }
}

async function facets(db: Kysely<MappingsDb>, counted: RawBuilder<unknown>): Promise<Facet[]> {
  const { rows } = await sql<Facet>`
    select value, count from (${counted}) as counted
    order by count desc, value limit ${most}`.execute(db)
  return rows
}
