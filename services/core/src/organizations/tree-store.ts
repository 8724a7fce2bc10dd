import { type Kysely, sql } from 'kysely'
import { reachable } from '../access/access-store.ts'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>

export type TreeQuestion = {
  userId: number
  at: number
  search?: string | undefined
  page: number
  pageSize: number
}

/** One page of the organizations directly below `at`, or by a text of all below it. */
export async function searchTree(db: Executor, asked: TreeQuestion) {
  const { at, search, userId, page, pageSize } = asked
  let query = db
    .selectFrom('organization as o')
    .where('o.status', '=', 'ACTIVE')
    .where('o.id', 'in', reachable(db, userId, { doors: true }))
  if (search === undefined || search === '') query = query.where('o.parent', '=', at)
  else {
    query = query
      .where('o.id', 'in', (eb) =>
        eb
          .selectFrom('organization_tree')
          .select('descendant')
          .where('ancestor', '=', at)
          .where('distance', '>', 0),
      )
      .where(sql<boolean>`strpos(lower(o.label || ' ' || o.resource_id), lower(${search})) > 0`)
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll('o')
    .select((eb) =>
      eb
        .selectFrom('organization as c')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('c.parent', '=', 'o.id')
        .where('c.status', '=', 'ACTIVE')
        .as('children'),
    )
    .orderBy('o.label')
    .orderBy('o.id')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}

/** The active organization with this resourceId at or below another one. */
export const findBelow = (db: Executor, top: number, resourceId: string) =>
  db
    .selectFrom('organization as o')
    .innerJoin('organization_tree as t', 't.descendant', 'o.id')
    .selectAll('o')
    .where('t.ancestor', '=', top)
    .where('o.resource_id', '=', resourceId)
    .where('o.status', '=', 'ACTIVE')
    .executeTakeFirst()

/** For each organization the labels from just below `top` down to itself. */
export async function pathsBelow(db: Executor, top: number, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string[]>()
  const rows = await db
    .selectFrom('organization_tree as t')
    .innerJoin('organization_tree as up', (join) =>
      join.onRef('up.descendant', '=', 't.ancestor').on('up.ancestor', '=', top),
    )
    .innerJoin('organization as o', 'o.id', 't.ancestor')
    .select(['t.descendant as id', 'o.label'])
    .where('t.descendant', 'in', ids)
    .where('up.distance', '>', 0)
    .orderBy('t.descendant')
    .orderBy('t.distance', 'desc')
    .execute()
  const byId = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byId].map(([id, steps]) => [id, steps.map(({ label }) => label)]))
}
