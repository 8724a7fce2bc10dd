import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { Order } from './device-order.ts'
import type { Place } from './device-scroll.ts'
import { deviceColumns, type DeviceRow } from './device-store.ts'

export type Ordered = {
  where: RawBuilder<boolean>
  order: Order
  dir: 'asc' | 'desc'
  /** All devices of one organization: an index has them in order and counts them. */
  whole?: boolean
}
export type Limits = { limit: number; offset?: number; after?: Place | undefined }
export type Keyed = DeviceRow & { order_key: string }

/** Rows of the pages that `parts` finds, with the total of its `matches`, which is there without rows too. */
export async function pageWithTotal(
  db: Kysely<MappingsDb>,
  ordered: Ordered,
  parts: RawBuilder<unknown>,
) {
  const { rows } = await sql<Keyed & { total: number }>`with ${parts}
    select matches.total, ${deviceColumns}, page.key::text as order_key
    from matches left join (page join ${deviceAndPreset} on device.id = page.id) on true
    ${ordering(ordered)}`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

export const deviceAndPreset = sql`mappings.device left join mappings.preset on preset.id = device.preset_id`

/** The limit stands in the text: a statement that is kept is planned for it. */
export const window = ({ limit, offset = 0 }: Limits) =>
  offset === 0 ? sql`limit ${sql.lit(limit)}` : sql`limit ${sql.lit(limit)} offset ${offset}`

export function afterPlace(key: RawBuilder<unknown>, { order, dir }: Ordered, after: Place) {
  const sign = sql.raw(dir === 'asc' ? '>' : '<')
  return sql`(${key}, device.id) ${sign} (${after.key}::${sql.raw(order.type)}, ${after.id})`
}

export const ordering = ({ dir }: Ordered) =>
  sql`order by page.key ${sql.raw(dir)}, page.id ${sql.raw(dir)}`
