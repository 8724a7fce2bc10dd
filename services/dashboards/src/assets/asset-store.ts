import { type Kysely, sql } from 'kysely'
import type { AssetRow, DashboardsDb, UploadRow } from '../database.ts'

type Db = Kysely<DashboardsDb>

export const listAssets = (db: Db, item: string) =>
  db.selectFrom('asset').selectAll().where('item', '=', item).orderBy('name').execute()

export const findAsset = (db: Db, item: string, name: string) =>
  db
    .selectFrom('asset')
    .selectAll()
    .where('item', '=', item)
    .where('name', '=', name)
    .executeTakeFirst()

export const findAssets = (db: Db, item: string, names: readonly string[]) =>
  db
    .selectFrom('asset')
    .selectAll()
    .where('item', '=', item)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute()

/** File of an organization by a digest, its own or that of its preview. */
export const findByDigest = (db: Db, org: string, name: string, sha256: Buffer) =>
  db
    .selectFrom('asset')
    .select(['type', 'sha256'])
    .where('org', '=', org)
    .where('name', '=', name)
    .where(({ eb, or }) => or([eb('sha256', '=', sha256), eb('preview_sha256', '=', sha256)]))
    .limit(1)
    .executeTakeFirst()

/** Keeps a file of a dashboard in place of one with the same name. */
export const saveAsset = (tx: Db, row: AssetRow) =>
  tx
    .insertInto('asset')
    .values(row)
    .onConflict((conflict) => conflict.columns(['item', 'name']).doUpdateSet(row))
    .execute()

export const deleteAsset = (tx: Db, item: string, name: string) =>
  tx
    .deleteFrom('asset')
    .where('item', '=', item)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst()

/** Bytes of an organization's files with their previews, and of what its uploads may still become. */
export async function storageOf(db: Db, org: string, but?: string) {
  const { used } = await db
    .selectFrom('asset')
    .select(sql<string>`coalesce(sum(bytes + preview_bytes), 0)`.as('used'))
    .where('org', '=', org)
    .executeTakeFirstOrThrow()
  const { reserved } = await db
    .selectFrom('upload')
    .select(sql<string>`coalesce(sum(bytes), 0)`.as('reserved'))
    .where('org', '=', org)
    .$if(but !== undefined, (rows) => rows.where('id', '!=', but ?? ''))
    .executeTakeFirstOrThrow()
  return { used: Number(used), reserved: Number(reserved) }
}

export const insertUpload = (tx: Db, row: UploadRow) =>
  tx.insertInto('upload').values(row).execute()

/** Upload of a person in an organization, or in those below it. */
export const findUpload = (db: Db, id: string, owner: string) =>
  db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst()

/** Upload by its id, held until the transaction ends. */
export const lockUpload = (tx: Db, id: string) =>
  tx.selectFrom('upload').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const updateUpload = (tx: Db, id: string, fields: Partial<UploadRow>) =>
  tx.updateTable('upload').set(fields).where('id', '=', id).execute()

export const deleteUpload = (tx: Db, id: string) =>
  tx.deleteFrom('upload').where('id', '=', id).returning('id').executeTakeFirst()

export async function countUploads(db: Db, owner: string) {
  const { total } = await db
    .selectFrom('upload')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return total
}

/** Number of a dashboard's files, without those of one name. */
export async function countAssets(db: Db, item: string, but: string) {
  const { total } = await db
    .selectFrom('asset')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('item', '=', item)
    .where('name', '!=', but)
    .executeTakeFirstOrThrow()
  return total
}

/** Those of some digests in hex that a row has. */
export async function usedDigests(tx: Db, digests: readonly string[]) {
  const { rows } = await sql<{ digest: string }>`
    select encode(sha256, 'hex') as digest from dashboards.asset
      where encode(sha256, 'hex') = any(${digests}::text[])
    union select encode(preview_sha256, 'hex') from dashboards.asset
      where encode(preview_sha256, 'hex') = any(${digests}::text[])`.execute(tx)
  return new Set(rows.map(({ digest }) => digest))
}

/** Deletes uploads that began before a time. */
export const deleteOldUploads = (db: Db, before: Date) =>
  db.deleteFrom('upload').where('at', '<', before).execute()

/** Those of some ids that are uploads. */
export async function knownUploads(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('upload')
    .select('id')
    .where(sql<boolean>`id::text = any(${ids}::text[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
