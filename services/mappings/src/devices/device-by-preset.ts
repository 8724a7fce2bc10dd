import { type Kysely, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import {
  afterPlace,
  deviceAndPreset,
  type Limits,
  type Ordered,
  pageWithTotal,
} from './device-paging.ts'

/**
 * The page of many matches in an order that presets give, and their count. Presets are few: the matches
 * are counted by preset, which says what presets the page is made of, and an index has the devices of
 * each of them by their ids. Putting all matches in order would compare a name for each of them.
 */
export function pageByPreset(
  db: Kysely<MappingsDb>,
  ordered: Ordered,
  { limit, offset = 0, after }: Limits,
) {
  const { where, order, dir } = ordered
  const direction = sql.raw(dir)
  const sign = sql.raw(dir === 'asc' ? '>=' : '<=')
  const place = after && sql`${after.key}::${sql.raw(order.type)}`
  const from = sql`(select ${offset}::bigint - coalesce(min(upto - here), 0) from reached)`
  const having = (preset: ReturnType<typeof sql>) => sql`(
    select device.id from ${deviceAndPreset}
    where ${preset} and ${where} ${after ? sql`and ${afterPlace(order.sql, ordered, after)}` : sql``}
    order by device.id ${direction} limit ${from} + ${sql.lit(limit)})`
  return pageWithTotal(
    db,
    ordered,
    sql`used as materialized (
      select device.preset_id, count(*) as devices from ${deviceAndPreset} where ${where} group by 1),
    matches as materialized (select coalesce(sum(devices), 0)::int as total from used),
    keyed as (
      select device.preset_id, device.devices, ${order.sql} as key
      from used as device left join mappings.preset on preset.id = device.preset_id),
    -- Of the preset that the page before ended in, it is not known how many are left: none, to be safe.
    ahead as (
      select preset_id, key, ${place ? sql`case when key = ${place} then 0 else devices end` : sql`devices`} as devices
      from keyed ${place ? sql`where key ${sign} ${place}` : sql``}),
    summed as (
      select preset_id, key, sum(devices) over (order by key ${direction}) as upto,
        sum(devices) over (partition by key) as here
      from ahead),
    reached as materialized (
      select * from summed where upto >= ${offset} and upto - here < ${offset + limit}),
    page as (
      select found.id, reached.key from reached cross join lateral (
        ${having(sql`device.preset_id = reached.preset_id`)}
        union all
        ${having(sql`reached.preset_id is null and device.preset_id is null`)}) as found
      order by reached.key ${direction}, found.id ${direction}
      limit ${sql.lit(limit)} offset ${from})`,
  )
}
