import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'

const most = 200
type Facet = { value: string; count: number }

/** Tags, models and organizations of these devices, with how many devices have each. */
export async function facetsOf(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const [tags, models, organizations] = await Promise.all([
    facets(db, where, { value: sql`one`, from: sql`mappings.device, unnest(device.tags) as one` }),
    facets(db, where, {
      value: sql`preset.model_name`,
      from: sql`mappings.device join mappings.preset on preset.id = device.preset_id`,
    }),
    facets(db, where, { value: sql`device.organization`, from: sql`mappings.device` }),
  ])
  return { tags, models, organizations }
}

type Source = { value: RawBuilder<unknown>; from: RawBuilder<unknown> }

async function facets(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
  { value, from }: Source,
): Promise<Facet[]> {
  const { rows } = await sql<Facet>`
    select ${value} as value, count(*) as count from ${from} where ${where}
    group by 1 order by 2 desc, 1 limit ${most}`.execute(db)
  return rows
}
