import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>
type Question = { search?: string | undefined; page: number; pageSize: number }

/** One page of an organization's model paths, and how many there are. */
export async function searchModelPaths(db: Executor, organizationId: number, asked: Question) {
  const { search, page, pageSize } = asked
  let query = db.selectFrom('model_path').where('organization_id', '=', organizationId)
  if (search !== undefined) {
    query = query.where(containsText(sql`path`, search))
  }
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(['id', 'path'])
    .orderBy('path')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}

/** The organization's paths of these texts, made where there are none yet. */
export async function ensureModelPaths(
  tx: Executor,
  organizationId: number,
  paths: readonly string[],
  now: Date,
) {
  if (paths.length === 0) return []
  const rows = paths.map((path) => ({ organization_id: organizationId, path, created_at: now }))
  await tx
    .insertInto('model_path')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['organization_id', 'path']).doNothing())
    .execute()
  return tx
    .selectFrom('model_path')
    .select(['id', 'path'])
    .where('organization_id', '=', organizationId)
    .where('path', 'in', paths)
    .execute()
}

/** The organization's paths by their ids; fewer when some are not there. */
export const modelPathsByIds = (db: Executor, organizationId: number, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('model_path')
        .select(['id', 'path'])
        .where('organization_id', '=', organizationId)
        .where('id', 'in', ids)
        .execute()

/** Labels of the roles that name the path. */
export const rolesWithPath = (db: Executor, id: number) =>
  db
    .selectFrom('role_model_path as rp')
    .innerJoin('role as r', 'r.id', 'rp.role_id')
    .select(['r.id', 'r.label'])
    .where('rp.model_path_id', '=', id)
    .orderBy('r.label')
    .execute()

export const deleteModelPath = (tx: Executor, organizationId: number, id: number) =>
  tx
    .deleteFrom('model_path')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('path')
    .executeTakeFirst()
