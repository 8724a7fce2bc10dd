import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export type Owner = { uid: number; gid: number; name: string }

const ownName = 'longreach-db'

/** The users whose data root takes as its own: the one made for it, and those of earlier versions. */
const known = [ownName, 'postgres', 'nobody']

/**
 * The user that the database runs as when this process is root, which PostgreSQL refuses. One of its
 * own, made once: what runs as `nobody` or as another server's user must not reach these data.
 */
export async function databaseUser(): Promise<Owner> {
  const there = (await usersOf()).find(({ name }) => name === ownName)
  if (there) return there
  const trouble = await makeUser()
  const made = (await usersOf()).find(({ name }) => name === ownName)
  if (made) return made // by us, or by another start at the same time
  throw new Error(
    `As root, the database runs as the system user "${ownName}", which could not be made: ${trouble} ` +
      `Make it (useradd --system ${ownName}), or run Longreach as another user.`,
  )
}

/** The known user with this id: one whose folder root may run a database in. */
export const knownUser = async (uid: number) =>
  (await usersOf()).find((user) => user.uid === uid && known.includes(user.name))

async function usersOf(): Promise<Owner[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/** Add the system user; answers what went wrong, if something did. */
const makeUser = () =>
  new Promise<string>((done) => {
    const nothing = [
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
    ]
    const args = ['--system', '--user-group', ...nothing, ownName]
    execFile('useradd', args, (error, _, text) => done(error ? text.trim() || error.message : ''))
  })
