import { constants } from 'node:fs'
import { lchown, lstat, mkdir, mkdtemp, open, readdir, realpath, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { databaseUser, knownUser, type Owner } from './database-user.ts'

/** A Unix socket's path has room for 107 bytes; PostgreSQL's name in it takes 14. */
const longestFolder = 90

export type DatabaseFolder = {
  /** Real path of the folder, without symbolic links. */
  home: string
  /** User that runs the database; undefined for the user of this process. */
  owner: Owner | undefined
}

/**
 * Folder of a database, made when missing: owned by the database's user and closed to others. A
 * folder of another owner is refused.
 */
export async function databaseFolder(folder: string): Promise<DatabaseFolder> {
  await mkdir(path.dirname(folder), { recursive: true })
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const link = await lstat(folder)
  if (link.isSymbolicLink() && !ourIds().includes(link.uid)) throw notOurs(folder, link.uid)
  const home = await realpath(folder)
  await refuseOpenAbove(home)
  if (process.getuid?.() !== 0) {
    await closeFolder(home, undefined)
    return { home, owner: undefined }
  }
  const { uid } = await lstat(home)
  const last = uid === 0 ? undefined : await knownUser(uid)
  if (uid !== 0 && !last) throw notOurs(home, uid)
  if (last && last.name !== 'nobody') {
    await closeFolder(home, last)
    return { home, owner: last }
  }
  const owner = await databaseUser()
  await closeFolder(home, owner)
  if (last) await handOver(home, owner)
  return { home, owner }
}

/** Folder of the Unix socket: the database's own, or a temporary one when its path is too long. */
export async function socketFolder({ home, owner }: DatabaseFolder): Promise<string> {
  if (Buffer.byteLength(home) <= longestFolder) return home
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-socket-'))
  await refuseOpenAbove(await realpath(folder))
  await closeFolder(folder, owner)
  return folder
}

/**
 * Refuses a path whose parent folders others can write to, since they could exchange the folder.
 * Sticky folders such as /tmp prevent that.
 */
async function refuseOpenAbove(place: string) {
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    const { mode } = await stat(folder)
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      throw new Error(
        `Everybody may write in ${folder}, and so put another folder in the place of ${place}. ` +
          `Close it (chmod o-w ${folder}), or choose another folder (DATA_DIR).`,
      )
    if (folder === path.dirname(folder)) return
  }
}

/**
 * Gives a directory to its user and closes it to others. It works on an open handle without
 * following links, so that the directory cannot be exchanged between check and change.
 */
async function closeFolder(folder: string, owner: Owner | undefined) {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') throw notOurs(folder, (await lstat(folder)).uid)
      if (error.code === 'ENOTDIR' || error.code === 'ELOOP')
        throw new Error(`${folder} must be a directory: the database's data belong there`)
      throw error
    },
  )
  try {
    const { uid, mode } = await handle.stat()
    if (owner === undefined && uid !== process.getuid?.()) throw notOurs(folder, uid)
    if (owner) await handle.chown(owner.uid, owner.gid)
    if ((mode & 0o777) !== 0o700) await handle.chmod(0o700)
  } finally {
    await handle.close()
  }
}

/** Changes the owner of data that an earlier version ran under another user. */
async function handOver(folder: string, to: Owner): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    await lchown(place, to.uid, to.gid)
    if (entry.isDirectory()) await handOver(place, to)
  }
}

const ourIds = () => [0, process.getuid?.() ?? 0]

const notOurs = (folder: string, uid: number) =>
  new Error(
    `${folder} belongs to another user (id ${uid}), who could read and change what the database keeps there. ` +
      'Run Longreach as that user, or choose another folder (DATA_DIR).',
  )

/** Nearest folder above `place` that is closed to other users. */
export async function closedAbove(place: string): Promise<string | undefined> {
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return folder
    if (folder === path.dirname(folder)) return undefined
  }
}
