import { recordChange } from '@longreach/kit/audit-trail'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { DashboardsDb, ItemRow, VersionRow } from '../database.ts'

type Db = Kysely<DashboardsDb>

/** Versions of a dashboard, newest first. */
export const listVersions = (db: Db, item: string) =>
  db.selectFrom('version').selectAll().where('item', '=', item).orderBy('number', 'desc').execute()

type Renamed = { before: VersionRow; name: string; note: string; at: Date }

/** Gives a version another name and note, also where it is named. */
export async function renameVersion(tx: Db, { before, name, note, at }: Renamed) {
  const { item } = before
  const row = await tx
    .updateTable('version')
    .set({ name, note, updated_at: at })
    .where('item', '=', item)
    .where('name', '=', before.name)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (name === before.name) return row
  await tx
    .updateTable('item')
    .set({ current_version: name })
    .where('id', '=', item)
    .where('current_version', '=', before.name)
    .execute()
  await tx
    .updateTable('draft')
    .set({ base: name })
    .where('item', '=', item)
    .where('base', '=', before.name)
    .execute()
  await tx
    .updateTable('version')
    .set({ derived_from: name })
    .where('item', '=', item)
    .where('derived_from', '=', before.name)
    .execute()
  return row
}

export async function deleteVersion(
  tx: Db,
  ctx: OrgCtx,
  item: ItemRow,
  { name, note }: VersionRow,
) {
  await tx.deleteFrom('version').where('item', '=', item.id).where('name', '=', name).execute()
  await recordChange(tx, ctx, {
    resource: 'dashboards',
    action: 'delete',
    id: item.id,
    label: item.name,
    organization: item.org,
    before: { version: name, note },
  })
}
