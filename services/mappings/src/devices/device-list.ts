import { failure } from '@longreach/kit/errors'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { Order } from './device-order.ts'
import { type Place, placeOf, scrollIdOf } from './device-scroll.ts'
import { type DeviceRow, withPreset } from './device-store.ts'

type Db = Kysely<MappingsDb>
type Direction = 'asc' | 'desc'
export type Asked = {
  page: number
  pageSize: number
  scroll?: boolean | undefined
  scrollId?: string | undefined
}
type Ordered = { where: RawBuilder<boolean>; order: Order; dir: Direction }
type Limits = { limit: number; offset?: number; after?: Place | undefined }

/** So few matches are fetched and put in order; of more, an index that is in order is walked. */
const few = 2_000

/** One page of the devices that match, and how many there are. */
export async function findDevices(db: Db, ordered: Ordered, asked: Asked) {
  const { page, pageSize } = asked
  const after = placeIn(ordered, asked.scrollId)
  const found = await fewMatches(db, ordered.where)
  const where = found ? sql<boolean>`device.id = any(${found}::text[])` : ordered.where
  const from = after ? { after } : { offset: page * pageSize }
  const [rows, total] = await Promise.all([
    inOrder(db, { ...ordered, where }, { limit: pageSize + 1, ...from }),
    found ? found.length : countAll(db, ordered.where),
  ])
  const shown = rows.slice(0, pageSize)
  const before = after?.seen ?? page * pageSize
  const last = rows.length <= pageSize
  const scrolls = asked.scroll === true || after !== undefined
  const next = scrolls && !last ? placeAfter(ordered, shown, before) : undefined
  return { rows: shown, total, last, next, number: Math.ceil(before / pageSize) }
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

/** How many match. */
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

export type Keyed = DeviceRow & { order_key: string }

/**
 * Devices in order, each with the key that the order goes by. Which ones is found first, by their ids
 * alone: rows are large, and an index that is in order knows the ids.
 */
function inOrder(
  db: Db,
  { where, order, dir }: Ordered,
  { limit, offset = 0, after }: Limits,
): Promise<Keyed[]> {
  let ids = matching(db, where).select('device.id')
  if (after) {
    const sign = sql.raw(dir === 'asc' ? '>' : '<')
    const key = sql`${after.key}::${sql.raw(order.type)}`
    ids = ids.where(sql<boolean>`(${order.sql}, device.id) ${sign} (${key}, ${after.id})`)
  }
  const page = ids.orderBy(order.sql, dir).orderBy('device.id', dir).limit(limit).offset(offset)
  return withPreset(db)
    .select(sql<string>`(${order.sql})::text`.as('order_key'))
    .where('device.id', 'in', page)
    .orderBy(order.sql, dir)
    .orderBy('device.id', dir)
    .execute()
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
export const named = (db: Db, where: RawBuilder<boolean>) =>
  matching(db, where)
    .select(['device.id', 'device.label'])
    .orderBy(sql`device.label collate mappings.natural_order`)
    .orderBy('device.id')
    .execute()
