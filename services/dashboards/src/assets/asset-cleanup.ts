import { lockFiles } from './asset-locks.ts'
import type { AssetDeps } from './asset-state.ts'
import { deleteOldUploads, knownUploads, usedDigests } from './asset-store.ts'
import { uploadHours } from './upload-handlers.ts'

/** Files that are compared with the rows at a time. */
const batch = 1_000

/** Deletes files that no row has: those of deleted dashboards, of broken work, and of uploads given up. */
export async function cleanupAssets(deps: Pick<AssetDeps, 'db' | 'now' | 'state'>) {
  const { db, now, state } = deps
  const { files } = state
  const before = new Date(now().getTime() - uploadHours * 3_600_000)
  await deleteOldUploads(db, before)
  const digests = await files.keptDigests()
  for (let from = 0; from < digests.length; from += batch) {
    const some = digests.slice(from, from + batch)
    await db.transaction().execute(async (tx) => {
      // Nobody gives a file its row meanwhile.
      await lockFiles(tx)
      const used = await usedDigests(tx, some)
      for (const digest of some) if (!used.has(digest)) await files.remove(files.keptFile(digest))
    })
  }
  const begun = await files.begunFiles()
  const known = await knownUploads(
    db,
    begun.map(({ name }) => name),
  )
  for (const { name, file, changedAt } of begun)
    if (!known.has(name) && changedAt < before) await files.remove(file)
}
