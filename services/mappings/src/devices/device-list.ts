import { failure } from '@longreach/kit/errors'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import { pageByPreset } from './device-by-preset.ts'
import {
  afterPlace,
  deviceAndPreset,
  type Keyed,
  type Limits,
  type Ordered,
  ordering,
  pageWithTotal,
  window,
} from './device-paging.ts'
import { type Place, placeOf, scrollIdOf } from './device-scroll.ts'
import { deviceColumns } from './device-store.ts'

type Db = Kysely<MappingsDb>
export type Asked = {
  page: number
  pageSize: number
  scroll?: boolean | undefined
  scrollId?: string | undefined
}
/** So few matches are fetched and put in order; of more, an index that is in order is walked. */
const few = 2_000

/** One page of the devices that match, and how many there are. */
export async function findDevices(db: Db, ordered: Ordered, asked: Asked) {
  const { page, pageSize } = asked
  const after = placeIn(ordered, asked.scrollId)
  const from = after ? { after } : { offset: page * pageSize }
  const limits = { limit: pageSize + 1, ...from }
  const { rows, total } = await pageAndCount(db, ordered, limits)
  const shown = rows.slice(0, pageSize)
  const before = after?.seen ?? page * pageSize
  const last = rows.length <= pageSize
  const scrolls = asked.scroll === true || after !== undefined
  const next = scrolls && !last ? placeAfter(ordered, shown, before) : undefined
  return { rows: shown, total, last, next, number: Math.ceil(before / pageSize) }
}

/** The rows of a page and the count of all that match, by one statement where that is quick. */
async function pageAndCount(db: Db, ordered: Ordered, limits: Limits) {
  if (ordered.whole === true) return pageOfWhole(db, ordered, limits)
  const found = await pageOfFew(db, ordered, limits)
  if (found.total <= few) return found
  if (ordered.order.byPreset === true) return pageByPreset(db, ordered, limits)
  const [rows, total] = await Promise.all([
    inOrder(db, ordered, limits),
    countAll(db, ordered.where),
  ])
  return { rows, total }
}

/** The place that a `scrollId` names in this order; undefined without one. */
function placeIn({ order, dir }: Ordered, scrollId: string | undefined) {
  const after = scrollId === undefined ? undefined : placeOf(scrollId)
  if (after && (after.by !== order.name || after.dir !== dir)) throw otherOrder()
  return after
}

function placeAfter({ order, dir }: Ordered, shown: readonly Keyed[], before: number) {
  const end = shown.at(-1)
  if (!end) return undefined
  const seen = before + shown.length
  return scrollIdOf({ by: order.name, dir, key: end.order_key, id: end.id, seen })
}

const otherOrder = () =>
  failure(mappingsContract, 'bad_scroll', {
    message: 'This scrollId belongs to another order; ask with the order of the first page.',
    field: 'scrollId',
  })

/** Number of matching devices. */
export async function countMatches(db: Db, where: RawBuilder<boolean>) {
  const found = await fewMatches(db, where)
  return { total: found ? found.length : await countAll(db, where) }
}

/** Those that match, where they are few. */
async function fewMatches(db: Db, where: RawBuilder<boolean>) {
  const rows = await matching(db, where)
    .select('device.id')
    .limit(few + 1)
    .execute()
  return rows.length <= few ? rows.map(({ id }) => id) : undefined
}

async function countAll(db: Db, where: RawBuilder<boolean>) {
  const { total } = await matching(db, where)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const matching = (db: Db, where: RawBuilder<boolean>) =>
  db.selectFrom('device').leftJoin('preset', 'preset.id', 'device.preset_id').where(where)

/**
 * Devices in order, each with the key that the order goes by. Which ones is found first, by their ids
 * alone: rows are large, and an index that is in order knows the ids.
 */
async function inOrder(db: Db, ordered: Ordered, limits: Limits): Promise<Keyed[]> {
  const { rows } = await sql<Keyed>`with ${idsInOrder(ordered, limits)}
    select ${deviceColumns}, page.key::text as order_key
    from page join ${deviceAndPreset} on device.id = page.id ${ordering(ordered)}`.execute(db)
  return rows
}

/** The page of all devices of an organization, and their count. */
async function pageOfWhole(db: Db, ordered: Ordered, limits: Limits) {
  const counted = sql`matches as materialized (
    select count(*)::int as total from mappings.device where ${ordered.where})`
  return pageWithTotal(db, ordered, sql`${counted}, ${idsInOrder(ordered, limits)}`)
}

/** The page of the matches and their count while they are few; of more, a total above `few` and no rows. */
async function pageOfFew(db: Db, ordered: Ordered, limits: Limits) {
  const { where, order, dir } = ordered
  const direction = sql.raw(dir)
  return pageWithTotal(
    db,
    ordered,
    sql`found as materialized (
      select device.id, ${order.sql} as key from ${deviceAndPreset} where ${where} limit ${sql.lit(few + 1)}),
    matches as materialized (select count(*)::int as total from found),
    page as (
      select device.id, device.key from found as device
      where (select total from matches) <= ${sql.lit(few)}
        ${limits.after ? sql`and ${afterPlace(sql`device.key`, ordered, limits.after)}` : sql``}
      order by device.key ${direction}, device.id ${direction} ${window(limits)})`,
  )
}

function idsInOrder(ordered: Ordered, limits: Limits) {
  const { where, order, dir } = ordered
  const { after } = limits
  const direction = sql.raw(dir)
  return sql`page as (
    select device.id, ${order.sql} as key from ${deviceAndPreset}
    where ${where} ${after ? sql`and ${afterPlace(order.sql, ordered, after)}` : sql``}
    order by ${order.sql} ${direction}, device.id ${direction} ${window(limits)})`
}

/** All devices that match, so many at a time, each part where the one before ended. */
export async function* allDevices(db: Db, ordered: Ordered, atOnce = 1_000) {
  for (let after: Place | undefined; ;) {
    const rows = await inOrder(db, ordered, { limit: atOnce, after })
    yield rows
    const end = rows.at(-1)
    if (!end || rows.length < atOnce) return
    const { order, dir } = ordered
    after = { by: order.name, dir, key: end.order_key, id: end.id, seen: 0 }
  }
}

/** Ids and labels of all devices that match, by name. */
export const listDeviceNames = (db: Db, where: RawBuilder<boolean>) =>
  matching(db, where)
    .select(['device.id', 'device.label'])
    .orderBy(sql`device.label collate mappings.natural_order`)
    .orderBy('device.id')
    .execute()
