import { recordChange } from '@longreach/kit/audit-trail'
import type { OrgCtx } from '@longreach/kit/service'
import type { AssetRow, ItemRow, UploadRow } from '../database.ts'
import { lockItem, noDashboard } from '../item-rights.ts'
import { noUpload, storageFull, tooManyAssets } from './asset-failures.ts'
import { lockStorage, shareFiles } from './asset-locks.ts'
import { type ReadAsset, readUploaded } from './asset-reading.ts'
import type { AssetDeps } from './asset-state.ts'
import { countAssets, deleteUpload, findAsset, saveAsset, storageOf } from './asset-store.ts'
import { mostAssets } from './contract.ts'

/** Most bytes that the files of an organization's dashboards take. */
export const mostStored = 5_000_000_000

type Kept = { row: AssetRow; losses: ReadAsset['losses'] }

/** Makes a file of a dashboard of an upload that is complete; the file is on disk before its row. */
export async function keepUpload(
  deps: AssetDeps,
  ctx: OrgCtx,
  { item, upload }: { item: ItemRow; upload: UploadRow },
): Promise<Kept> {
  const { files } = deps.state
  const fresh = { first: files.freshFile(), second: files.freshFile() }
  try {
    const read = await readUploaded(deps.state, upload, fresh)
    const row = rowOf(upload, read, ctx)
    await deps.db.transaction().execute(async (tx) => {
      await shareFiles(tx)
      await lockStorage(tx, item.org)
      const present = await lockItem(tx, item.id)
      if (!present || present.deleted_at) throw noDashboard(item.id)
      const before = await findAsset(tx, item.id, row.name)
      const needed = row.bytes + row.preview_bytes
      const { used, reserved } = await storageOf(tx, item.org, upload.id)
      const freed = before ? before.bytes + before.preview_bytes : 0
      if (used - freed + needed > mostStored)
        throw storageFull({ used, reserved, limit: mostStored, bytes: needed })
      if ((await countAssets(tx, item.id, row.name)) >= mostAssets) throw tooManyAssets(mostAssets)
      // Of two who finish it at once, one finds it gone.
      if (!(await deleteUpload(tx, upload.id))) throw noUpload(upload.id)
      await files.keep(read.file.path, read.file.sha256)
      if (read.preview) await files.keep(read.preview.path, read.preview.sha256)
      await saveAsset(tx, row)
      await recordChange(tx, ctx, {
        resource: 'dashboards',
        action: 'update',
        id: item.id,
        label: item.name,
        organization: item.org,
        ...(before && { before: factsOf(before) }),
        after: factsOf(row),
      })
    })
    await files.remove(files.uploadFile(upload.id))
    return { row, losses: read.losses }
  } finally {
    await files.remove(fresh.first)
    await files.remove(fresh.second)
  }
}

/** Facts of a file for the audit trail. */
export const factsOf = ({ name, type, bytes, sha256 }: AssetRow) => ({
  file: name,
  type,
  bytes,
  sha256: sha256.toString('hex'),
})

const rowOf = (
  upload: UploadRow,
  { type, file, preview, size }: ReadAsset,
  ctx: OrgCtx,
): AssetRow => ({
  item: upload.item,
  name: upload.name,
  org: upload.org,
  widget: upload.widget,
  sha256: file.sha256,
  type,
  bytes: file.bytes,
  preview_sha256: preview?.sha256 ?? null,
  preview_bytes: preview?.bytes ?? 0,
  width: size?.width ?? null,
  height: size?.height ?? null,
  by: ctx.caller.username,
  at: ctx.now,
})
