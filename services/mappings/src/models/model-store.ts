import { holdLock } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import { type Reach } from '@longreach/authorization/reach'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { ModelTable } from './models-tables.ts'
import { within } from '../reach.ts'
import { visibleIn } from './model-visibility.ts'
import type { PathFacts } from './model-rules.ts'
import { versionParts } from './model-rules.ts'

export type ModelRow = Omit<ModelTable, 'json'> & { json: Tree }

const newestFirst = ['major', 'minor', 'patch'] as const

/** The newest version of a name. */
export function newestModel(db: Kysely<MappingsDb>, organization: string, name: string) {
  let query = db
    .selectFrom('model')
    .selectAll()
    .where('organization', '=', organization)
    .where('name', '=', name)
  for (const part of newestFirst) query = query.orderBy(part, 'desc')
  return query.limit(1).executeTakeFirst()
}

export const modelByVersion = (
  db: Kysely<MappingsDb>,
  organization: string,
  { name, version }: { name: string; version: string },
) =>
  db
    .selectFrom('model')
    .selectAll()
    .where('organization', '=', organization)
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()

/** A model in reach, or one that an organization above shares. */
export const findModel = (db: Kysely<MappingsDb>, reach: Reach, id: string) =>
  db
    .selectFrom('model')
    .selectAll()
    .where('id', '=', id)
    .where(visibleIn(reach, 'model'))
    .executeTakeFirst()

/** One writer of a name at a time, so that versions follow each other. */
export const lockName = (tx: Kysely<MappingsDb>, organization: string, name: string) =>
  holdLock(tx, 'mappings.model_name', organization, name)

type NewModel = Pick<
  ModelRow,
  'id' | 'organization' | 'realm' | 'name' | 'version' | 'json' | 'parent_id'
> & { shared?: boolean }

export const insertModel = (tx: Kysely<MappingsDb>, row: NewModel, now: Date) =>
  tx
    .insertInto('model')
    .values({
      ...row,
      ...versionParts(row.version),
      shared: row.shared ?? false,
      json: JSON.stringify(row.json),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteModel = (tx: Kysely<MappingsDb>, id: string) =>
  tx.deleteFrom('model').where('id', '=', id).execute()

/** A preset that is made from this model, one of the model's own organization first. */
export const presetOfModel = (tx: Kysely<MappingsDb>, { id, organization }: ModelRow) =>
  tx
    .selectFrom('preset')
    .select(['name', 'organization'])
    .where('model_id', '=', id)
    .orderBy((eb) => eb('organization', '=', organization), 'desc')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()

/** All versions of a name in reach, newest first. */
export function versionsOf(tx: Kysely<MappingsDb>, reach: Reach, name: string) {
  let query = tx
    .selectFrom('model')
    .selectAll()
    .where('name', '=', name)
    .where(within(reach, 'model.organization'))
    .orderBy('organization')
  for (const part of newestFirst) query = query.orderBy(part, 'desc')
  return query.execute()
}

export const setShared = (tx: Kysely<MappingsDb>, ids: readonly string[], shared: boolean) =>
  tx.updateTable('model').set({ shared }).where('id', 'in', ids).execute()

/** Put the paths of a model in the place of those of the version before it. */
export async function replacePaths(
  tx: Kysely<MappingsDb>,
  { id, organization, name, major }: ModelRow,
  paths: readonly PathFacts[],
) {
  const model = `${name}:${major}`
  await tx
    .deleteFrom('model_path')
    .where('organization', '=', organization)
    .where('model', '=', model)
    .execute()
  // PostgreSQL takes 65,535 parameters in a statement.
  for (let from = 0; from < paths.length; from += 2_000) {
    const rows = paths.slice(from, from + 2_000).map(({ instanceOf, ...path }) => ({
      ...path,
      instance_of: instanceOf,
      organization,
      model,
      model_id: id,
    }))
    await tx.insertInto('model_path').values(rows).execute()
  }
}

/** The newest version of a name with this major version, if there is one. */
export function newestOfMajor(
  db: Kysely<MappingsDb>,
  organization: string,
  { name, major }: { name: string; major: number },
) {
  return db
    .selectFrom('model')
    .selectAll()
    .where('organization', '=', organization)
    .where('name', '=', name)
    .where('major', '=', major)
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .limit(1)
    .executeTakeFirst()
}
