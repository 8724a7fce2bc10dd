import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'

export type Listed = {
  where: RawBuilder<boolean>
  orderBy: RawBuilder<unknown>
  orderDir: 'asc' | 'desc'
  page: number
  pageSize: number
}
export type ListedModels = Listed & {
  /** Of each name only the newest version: clients abort when a name comes twice. */
  newest: boolean
}

const modelsIn = (db: Kysely<MappingsDb>, { where, newest }: ListedModels) => {
  const query = db.selectFrom('model').where(where)
  if (!newest) return query
  return query.where(
    sql<boolean>`not exists (select from ${sql.table('mappings.model')} as newer
      where newer.organization = model.organization and newer.name = model.name
      and (newer.major, newer.minor, newer.patch) > (model.major, model.minor, model.patch))`,
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

export const listPaths = (db: Kysely<MappingsDb>, listed: Listed) =>
  db
    .selectFrom('model_path')
    .select([
      'organization as orgResourceId',
      'model',
      'path',
      'type',
      'instance_of as instanceOf',
      'label',
      'description',
      'unit',
      'tags',
      'version',
      'deprecated',
    ])
    .where(listed.where)
    .orderBy(listed.orderBy, listed.orderDir)
    .orderBy('model')
    .orderBy('path')
    .offset(listed.page * listed.pageSize)
    .limit(listed.pageSize)
    .execute()

export async function countPaths(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const { total } = await db
    .selectFrom('model_path')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where(where)
    .executeTakeFirstOrThrow()
  return total
}
