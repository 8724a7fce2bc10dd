import { localName } from '@longreach/kit/person-name-rules'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DashboardsDb, ItemRow } from '../database.ts'
import { rolesOf, seenItems, type Seen } from '../item-rights.ts'
import type { ListQuery } from './contract.ts'

type Db = Kysely<DashboardsDb>

const orders: Record<ListQuery['orderBy'], RawBuilder<unknown>> = {
  name: sql`lower(item.name)`,
  updatedAt: sql`item.updated_at`,
  creationDate: sql`item.created_at`,
}

type Asked = ListQuery & { inTrash: boolean }

/** Page of the dashboards that the caller sees, and their number. */
export async function listItems(db: Db, ctx: OrgCtx, asked: Asked) {
  const { page, pageSize, orderBy, orderDir } = asked
  const found = asked.search?.trim() ?? ''
  const query = seenItems(db, ctx)
    .where('item.deleted_at', asked.inTrash ? 'is not' : 'is', null)
    .where(whoseSql(ctx, asked))
    .$if(found !== '', (rows) =>
      rows.where(
        sql<boolean>`position(lower(${found}) in lower(item.name || ' ' || item.description)) > 0`,
      ),
    )
    .$if(asked.type !== undefined, (rows) =>
      rows.where('item.kind', '=', asked.type ?? 'DASHBOARD'),
    )
    .$if(asked.username !== undefined, (rows) =>
      rows.where('item.owner_name', '=', localName(asked.username ?? '', ctx.organization.realm)),
    )
  const [rows, { total }] = await Promise.all([
    query
      .orderBy(orders[orderBy], orderDir)
      .orderBy('item.id')
      .limit(pageSize)
      .offset(page * pageSize)
      .execute(),
    query
      .clearSelect()
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rolesOf(rows), total }
}

function whoseSql({ caller: { sub } }: OrgCtx, { whose, inTrash }: Asked): RawBuilder<boolean> {
  const isMine = sql<boolean>`item.owner = ${sub}`
  // Who may not restore a deleted one does not see it.
  if (inTrash) return sql<boolean>`item.role in ('owner', 'keeper')`
  switch (whose) {
    case 'ALL':
      return sql<boolean>`true`
    case 'MINE':
      return isMine
    case 'SHARED_WITH_ME':
      return sql<boolean>`not ${isMine} and exists (select from dashboards.share as share
        where share.item = item.id and (share.sub = ${sub} or share.name in ('*', '**')))`
    case 'SHARED_BY_ME':
      return sql<boolean>`${isMine} and exists (select from dashboards.share as share where share.item = item.id)`
  }
}

/** Shares of dashboards, by their ids. */
export async function sharesOf(db: Db, rows: readonly Seen[]) {
  const ids = rows.map(({ item }) => item.id)
  const shares = await db
    .selectFrom('share')
    .select(['item', 'name', 'permission'])
    .where(sql<boolean>`item = any(${ids}::uuid[])`)
    .orderBy('name')
    .execute()
  return Map.groupBy(shares, ({ item }) => item)
}

export async function countItems(db: Db, org: string) {
  const { total } = await db
    .selectFrom('item')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  return total
}

type Values = Omit<ItemRow, 'card_style' | 'manifest'> & {
  card_style: object | null
  manifest: object | null
}

const textOf = (value: object | null) => (value === null ? null : JSON.stringify(value))

export const insertItem = (tx: Db, { card_style, manifest, ...row }: Values) =>
  tx
    .insertInto('item')
    .values({ ...row, card_style: textOf(card_style), manifest: textOf(manifest) })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateItem = (
  tx: Db,
  id: string,
  { card_style, manifest, ...fields }: Partial<Values>,
) =>
  tx
    .updateTable('item')
    .set({
      ...fields,
      ...(card_style !== undefined && { card_style: textOf(card_style) }),
      ...(manifest !== undefined && { manifest: textOf(manifest) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteItem = (tx: Db, id: string) =>
  tx.deleteFrom('item').where('id', '=', id).execute()

/** Deletes what has been in the trash for longer than 30 days. */
export const cleanupTrash = (db: Db, now: Date) =>
  db
    .deleteFrom('item')
    .where('deleted_at', '<', new Date(now.getTime() - 30 * 86_400_000))
    .execute()
