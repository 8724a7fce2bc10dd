import { isWithinSql, reachOf } from '@longreach/authorization/reach'
import { condition, type SqlCondition } from '@longreach/authorization/sql-condition'
import type { OrgCtx } from '@longreach/kit/service'
import { where } from '@longreach/kit/where'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { chainOf } from '../rules/rule-sight.ts'
import { devicesOfCall, occurrences, type Visible } from '../search/visible.ts'
import type { ShelfReason, ShelfTarget } from './contract.ts'

type Db = Kysely<AlarmsDb>
export type ShelfRow = Selectable<AlarmsDb['shelf']>

/** Shelf with the number of alarms on it that the caller may see. */
export type CountedShelf = ShelfRow & { held: number }

/** Organizations of shelves that a call is about: its own, and those above that reach down to it. */
function organizationsSql(ctx: OrgCtx): SqlCondition {
  const [own = '', ...above] = chainOf(ctx.organization.resourceId)
  return condition()
    .text('(')
    .add(isWithinSql(reachOf(ctx), 's.org'))
    .text(' or (s.below and s.org = any(')
    .value(above)
    .text('::text[]) and not exists (select from unnest(s.closed) as private(org) where ')
    .value(own)
    .text(' = private.org or starts_with(')
    .value(own)
    .text(
      ", private.org || '.')) and not exists (select from alarms.shelf_lifted l where l.shelf_id = s.id and (l.org = ",
    )
    .value(own)
    .text(' or starts_with(')
    .value(own)
    .text(", l.org || '.')))))")
    .end()
}

/** Condition of the live shelves `s` that a call may see; one of an alarm or a device only with its target. */
function shelvesSql(ctx: OrgCtx, visible: Visible): RawBuilder<boolean> {
  return sql<boolean>`(s.ended_at is null and ${where(organizationsSql(ctx))} and case s.target_type
    when 'device' then exists (select from alarms.device d where d.device_id = s.target_id
      and ${devicesOfCall(ctx, 'd.org')})
    when 'alarm' then exists (select from ${occurrences} where o.device_id = s.device_id
      and o.source = s.source and ${visible.rows})
    else true end)`
}

const heldSql = (visible: Visible) => sql<number>`(select count(*)::int from ${occurrences}
  where o.shelf_id = s.id and o.open and ${visible.rows})`

type Wanted = {
  search?: string | undefined
  type?: ShelfTarget | undefined
  reason?: ShelfReason | undefined
  mine?: boolean | undefined
  page: number
  pageSize: number
}

/** Live shelves that a call may see, those that end first at the top. */
export async function listShelves(db: Db, ctx: OrgCtx, visible: Visible, wanted: Wanted) {
  const { search = '', type, reason, mine, page, pageSize } = wanted
  const words = search.split(/\s+/).filter((word) => word !== '')
  const conditions = [
    shelvesSql(ctx, visible),
    type && sql<boolean>`s.target_type = ${type}`,
    reason && sql<boolean>`s.reason = ${reason}`,
    mine && sql<boolean>`s.by_sub = ${ctx.caller.sub}`,
    ...words.slice(0, 20).map(
      (word) =>
        sql<boolean>`strpos(lower(s.label || ' ' || s.note || ' ' || s.by_user || ' ' || s.target_id),
          lower(${word})) > 0`,
    ),
  ].filter((one) => one !== undefined && one !== false)
  const found = sql<boolean>`${sql.join(conditions, sql` and `)}`
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<CountedShelf>`select s.*, ${heldSql(visible)} as held from alarms.shelf s where ${found}
      order by s.until, s.id limit ${pageSize} offset ${page * pageSize}`.execute(db),
    sql<{
      total: number
    }>`select count(*)::int as total from alarms.shelf s where ${found}`.execute(db),
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Live shelf that a call may see. */
export async function findShelf(db: Db, ctx: OrgCtx, visible: Visible, id: string) {
  const { rows } = await sql<CountedShelf>`select s.*, ${heldSql(visible)} as held
    from alarms.shelf s where s.id = ${id} and ${shelvesSql(ctx, visible)}`.execute(db)
  return rows[0]
}

/** Keeps a shelf from others until the transaction ends; read it afterwards. */
export const lockShelf = (tx: Db, id: string) =>
  tx.selectFrom('shelf').select('id').where('id', '=', id).forUpdate().execute()

/** Writes shelves; answers the targets whose shelf was not there yet. */
export async function insertShelves(tx: Db, rows: readonly ShelfRow[]): Promise<Set<string>> {
  const written = await tx
    .insertInto('shelf')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(['org', 'target_type', 'target_id'])
        .where('ended_at', 'is', null)
        .doNothing(),
    )
    .returning('target_id')
    .execute()
  return new Set(written.map(({ target_id }) => target_id))
}

export async function countShelves(db: Db, org: string) {
  const { count } = await db
    .selectFrom('shelf')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('org', '=', org)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const changeEnd = (
  tx: Db,
  { id, until, end_on_return, note }: Pick<ShelfRow, 'id' | 'until' | 'end_on_return' | 'note'>,
) =>
  tx
    .updateTable('shelf')
    .set({ until, end_on_return, note })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()

type End = { at: Date; how: NonNullable<ShelfRow['ended_how']>; by?: string }

/** Ends shelves; their alarms are taken from them afterwards. */
export const endShelves = (tx: Db, ids: readonly string[], { at, how, by }: End) =>
  tx
    .updateTable('shelf')
    .set({ ended_at: at, ended_how: how, ended_by: by ?? null, pending: true })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('ended_at', 'is', null)
    .execute()

/** Notes that a shelf from above does not hold in an organization and below. */
export async function liftBelow(
  tx: Db,
  id: string,
  { org, by, at }: { org: string; by: string; at: Date },
) {
  await tx
    .insertInto('shelf_lifted')
    .values({ shelf_id: id, org, by_user: by, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.updateTable('shelf').set({ pending: true }).where('id', '=', id).execute()
}

/** Deletes shelves of organizations and devices that will not come back. */
export const purgeShelves = (
  tx: Db,
  { orgs = [], devices = [] }: { orgs?: readonly string[]; devices?: readonly string[] },
) =>
  sql`delete from alarms.shelf where org = any(${orgs}::text[])
    or (target_type in ('alarm', 'device') and device_id = any(${devices}::text[]))`.execute(tx)
