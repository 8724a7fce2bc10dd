import { chmod, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

export type Owner = { uid: number; gid: number; name: string }

/** Who runs the database when this process is root: PostgreSQL refuses root and needs a user with a name. */
export async function unprivilegedUser(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) throw new Error('Running as root needs a user "postgres" or "nobody" for the database')
  return { name: user[0] ?? '', uid: Number(user[2]), gid: Number(user[3]) }
}

/**
 * Make sure that the user can come to `place`: folders above it must let others pass. `own` is the
 * folder that is ours to open; another one that is closed is named, with the way out.
 */
export async function openWay(place: string, owner: Owner, own?: string) {
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) {
      if (folder !== own) throw new Error(closed(folder, place, owner))
      await chmod(folder, mode | 0o011)
    }
    if (folder === path.dirname(folder)) return
  }
}

const closed = (folder: string, place: string, { name }: Owner) =>
  `As root, the database runs as the user "${name}", who cannot come to ${place}: ${folder} is closed to others. ` +
  `Let them pass (chmod o+x ${folder}), run Longreach as another user, or put it and its data elsewhere (DATA_DIR).`
