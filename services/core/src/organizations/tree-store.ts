import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { selectReachable } from '../access/access-store.ts'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>

type TreeQuestion = {
  userId: number
  /** The organization whose children are wanted, or below which is searched. */
  at: { id: number; resource_id: string; private_root: number | null }
  search?: string | undefined
  /** The caller's rights reach down from `at`: then only private organizations have to be looked for. */
  reaching: boolean
  page: number
  pageSize: number
}

/** One page of the organizations directly below `at`, or by a text of all below it. */
export async function searchTree(db: Executor, asked: TreeQuestion) {
  const { at, search = '', page, pageSize } = asked
  let query = db.selectFrom('organization as o').where('o.status', '=', 'ACTIVE')
  if (search === '') query = query.where('o.parent', '=', at.id)
  else {
    // Its resourceId begins with that of each one above: cheaper than asking the tree 10,000 times.
    query = query
      .where(sql<boolean>`starts_with(o.resource_id, ${`${at.resource_id}.`})`)
      .where(containsText(sql`(o.label || ' ' || o.resource_id)`, search))
  }
  if (!asked.reaching || search !== '') query = query.where(visible(db, asked))
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

/** Organizations that the person may enter, and private ones directly below these, which are shown as closed. */
const visible =
  (db: Executor, { at, userId, reaching }: TreeQuestion) =>
  (eb: ExpressionBuilder<CoreDb & { o: CoreDb['organization'] }, 'o'>) => {
    if (!reaching) return eb('o.id', 'in', selectReachable(db, userId, { includeClosed: true }))
    const openAbove = eb
      .selectFrom('organization as p')
      .select('p.id')
      .whereRef('p.id', '=', 'o.parent')
      .where('p.private_root', 'is not distinct from', at.private_root)
    return eb.or([
      eb('o.private_root', 'is not distinct from', at.private_root),
      eb.and([eb('o.private_access', '=', true), eb.exists(openAbove)]),
      eb(
        'o.id',
        'in',
        eb.selectFrom('membership').select('organization_id').where('user_id', '=', userId),
      ),
    ])
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
