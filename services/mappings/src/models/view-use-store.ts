import { can } from '@longreach/authorization/can'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { MappingsDb } from '../database.ts'
import type { ShownPath, viewEvents } from './view-event-contract.ts'

type Db = Kysely<MappingsDb>
type Of = { name: string; paths: readonly string[] }

/** Saved views that the caller sees and that show these paths of a model, or any path of it when none are named. */
export async function viewsUsing(
  db: Db,
  { capability, organization, caller }: OrgCtx,
  { name, paths }: Of,
) {
  // Who may not read devices has no views.
  if (!can(capability, 'devices', 'read')) return []
  const rows = await db
    .selectFrom('view_use')
    .select(['view_id as id', 'name', 'shown'])
    .where('organization', '=', organization.resourceId)
    .where((where) => where.or([where('shared', '=', true), where('author', '=', caller.sub)]))
    .orderBy(sql`lower(name)`)
    .orderBy('view_id')
    .execute()
  return rows.flatMap(({ shown, ...view }) => {
    const found = selectShownPaths(shown, { name, paths })
    return found.length > 0 ? [{ ...view, paths: found }] : []
  })
}

/** Paths of the model that a view shows; of named ones those that it shows, or something inside of them. */
function selectShownPaths(shown: readonly ShownPath[], { name, paths }: Of): string[] {
  const own = shown.flatMap(({ model, path }) => (model === name ? [path] : []))
  const found = paths.length === 0 ? own : paths.filter((path) => own.some(isAtOrIn(path)))
  return [...new Set(found)]
}

const isAtOrIn = (path: string) => (one: string) =>
  path === '' || one === path || one.startsWith(`${path}/`) || one.startsWith(`${path}[*]`)

/** Keep the copy of a view as platform has it. */
export async function saveViewUse(
  tx: Db,
  { id, view }: z.output<typeof viewEvents.viewChanged.payload>,
) {
  if (!view) {
    await tx.deleteFrom('view_use').where('view_id', '=', id).execute()
    return
  }
  const row = { ...view, shown: sql<ShownPath[]>`${JSON.stringify(view.shown)}::jsonb` }
  await tx
    .insertInto('view_use')
    .values({ ...row, view_id: id })
    .onConflict((conflict) => conflict.column('view_id').doUpdateSet(row))
    .execute()
}
