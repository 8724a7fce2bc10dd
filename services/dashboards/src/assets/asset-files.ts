import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Digest and length of a file's content. */
export type FileContent = { sha256: Buffer; bytes: number }

/** Files of an installation below its data folder: kept ones by their digests, and those under way. */
export function createAssetFiles(dataDir: string) {
  const kept = path.join(dataDir, 'assets')
  const begun = path.join(kept, 'begun')
  const keptFile = (sha256: Buffer | string) =>
    path.join(kept, typeof sha256 === 'string' ? sha256 : sha256.toString('hex'))
  const folder = () => mkdir(begun, { recursive: true, mode: 0o700 })

  return {
    keptFile,
    uploadFile: (id: string) => path.join(begun, id),
    /** Path for a file that is being written. */
    freshFile: () => path.join(begun, `fresh-${randomUUID()}`),
    folder,

    /** Files can be written. */
    async isWritable() {
      try {
        await folder()
        await access(begun, constants.W_OK)
        return true
      } catch {
        return false // that is the answer: the folder is missing and cannot be made, or is read-only
      }
    },

    /**
     * Gives a written file a second name, that of its digest: a crash leaves either all of it or nothing.
     * A file with the same digest is there already and stays.
     */
    async keep(source: string, sha256: Buffer) {
      const handle = await open(source, 'r+')
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
      await link(source, keptFile(sha256)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await syncFolder(kept)
    },

    remove: (file: string) => rm(file, { force: true }),

    /** Digests in hex of all kept files. */
    async keptDigests() {
      await folder()
      return (await readdir(kept)).filter((name) => /^[0-9a-f]{64}$/.test(name))
    },

    /** Files under way: uploads by their ids, and others by their names, with the time of their last change. */
    async begunFiles() {
      await folder()
      const names = await readdir(begun)
      const found = await Promise.all(
        names.map(async (name) => {
          const file = path.join(begun, name)
          const facts = await stat(file).catch(ignoreMissing)
          return facts ? [{ name, file, changedAt: facts.mtime }] : []
        }),
      )
      return found.flat()
    },
  }
}
export type AssetFiles = ReturnType<typeof createAssetFiles>

/** Undefined for a file that is gone; any other error stays one. */
export function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT') return undefined
  throw error
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Digest and length of a file, read piece by piece; `look` sees each piece. */
export async function contentOf(
  file: string,
  look?: (piece: Buffer) => void,
): Promise<FileContent> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
    look?.(piece)
  }
  return { sha256: hash.digest(), bytes }
}
