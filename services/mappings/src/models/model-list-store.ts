import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { Reach } from '@longreach/authorization/reach'
import { visibleIn } from './model-visibility.ts'

type Paged = { where: RawBuilder<boolean>; page: number; pageSize: number }
type Ordering = { orderBy: RawBuilder<unknown>; orderDir: 'asc' | 'desc' }
type ListedModels = Paged &
  Ordering & {
    /** Of each name only the newest version that this reach sees: clients abort when a name comes twice. */
    newest: Reach | undefined
  }

const modelsIn = (db: Kysely<MappingsDb>, { where, newest }: ListedModels) => {
  const query = db.selectFrom('model').where(where)
  if (!newest) return query
  return query.where(
    sql<boolean>`not exists (select from ${sql.table('mappings.model')} as newer
      where newer.organization = model.organization and newer.name = model.name
      and (newer.major, newer.minor, newer.patch) > (model.major, model.minor, model.patch)
      and ${visibleIn(newest, 'newer')})`,
  )
}

export const listModels = (db: Kysely<MappingsDb>, listed: ListedModels) =>
  modelsIn(db, listed)
    .selectAll()
    .orderBy(listed.orderBy, listed.orderDir)
    .orderBy('id')
    .offset(listed.page * listed.pageSize)
    .limit(listed.pageSize)
    .execute()

export async function countModels(db: Kysely<MappingsDb>, listed: ListedModels) {
  const { total } = await modelsIn(db, listed)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Names with the number of their versions, in the order of the alphabet. */
export async function listNames(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const names = db
    .selectFrom('model')
    .where(where)
    .groupBy(['organization', 'name'])
    .select((select) => [
      'name',
      'organization as orgResourceId',
      select.fn.countAll<number>().as('count'),
    ])
  const { total } = await db
    .selectFrom(names.as('names'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await names
    .orderBy('name')
    .orderBy('organization')
    .offset(page * pageSize)
    .limit(pageSize)
    .execute()
  return { rows, total }
}

/** Versions of a name, newest first. */
export async function listVersions(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const rows = await db
    .selectFrom('model')
    .select('version')
    .where(where)
    .orderBy('major', 'desc')
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .execute()
  return [...new Set(rows.map(({ version }) => version))]
}

type ListedPaths = Paged & { orderBy: readonly Ordering[] }

/** A path is as visible as the model that it is of. */
const pathsIn = (db: Kysely<MappingsDb>, where: RawBuilder<boolean>) =>
  db.selectFrom('model_path').innerJoin('model', 'model.id', 'model_path.model_id').where(where)

export function listPaths(db: Kysely<MappingsDb>, { where, orderBy, page, pageSize }: ListedPaths) {
  let query = pathsIn(db, where).select([
    'model_path.organization as orgResourceId',
    'model_path.model',
    'model_path.path',
    'model_path.type',
    'model_path.instance_of as instanceOf',
    'model_path.label',
    'model_path.description',
    'model_path.unit',
    'model_path.tags',
    'model_path.version',
    'model_path.deprecated',
    'model.shared as subOrgsEnabledToView',
  ])
  for (const one of orderBy) query = query.orderBy(one.orderBy, one.orderDir)
  return query
    .orderBy('model_path.model')
    .orderBy('model_path.path')
    .orderBy('model_path.organization')
    .offset(page * pageSize)
    .limit(pageSize)
    .execute()
}

export async function countPaths(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const { total } = await pathsIn(db, where)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
