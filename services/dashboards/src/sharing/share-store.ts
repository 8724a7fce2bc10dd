import { type Kysely, sql } from 'kysely'
import type { DashboardsDb, SharePermission } from '../database.ts'

type Db = Kysely<DashboardsDb>

export const listShares = (db: Db, item: string) =>
  db
    .selectFrom('share')
    .select(['name', 'permission'])
    .where('item', '=', item)
    .orderBy('name')
    .execute()

type NewShare = { name: string; permission: SharePermission; sub: string | null }

/** Gives each name its permission; editors are no readers, and the reverse. */
export async function saveShares(
  tx: Db,
  item: string,
  shares: readonly NewShare[],
  made: { by: string; at: Date },
) {
  const unique = [...new Map(shares.map((share) => [share.name, share])).values()]
  if (unique.length === 0) return
  await tx
    .insertInto('share')
    .values(unique.map((share) => ({ item, ...share, ...made })))
    .onConflict((conflict) =>
      conflict.columns(['item', 'name']).doUpdateSet((set) => ({
        permission: set.ref('excluded.permission'),
        sub: set.ref('excluded.sub'),
        by: set.ref('excluded.by'),
        at: set.ref('excluded.at'),
      })),
    )
    .execute()
}

/** Takes shares away, those with one permission only if it is given. */
export const removeShares = (
  tx: Db,
  item: string,
  names: readonly string[],
  permission?: SharePermission,
) =>
  tx
    .deleteFrom('share')
    .where('item', '=', item)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .$if(permission !== undefined, (rows) => rows.where('permission', '=', permission ?? 'r'))
    .execute()
