import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

export type Owner = { uid: number; gid: number; name: string }

const ownName = 'longreach-db'

/** Users whose data folders root accepts: the own one and those of earlier versions. */
const known = [ownName, 'postgres', 'nobody']

/**
 * User for the database when this process is root, since PostgreSQL refuses to run as root. A user
 * of its own keeps programs that run as `nobody` away from the data.
 */
export async function databaseUser(): Promise<Owner> {
  const there = (await usersOf()).find(({ name }) => name === ownName)
  if (there) return there
  const trouble = await makeUser()
  const made = (await usersOf()).find(({ name }) => name === ownName)
  if (made) return made // made here, or by another start at the same time
  throw new Error(
    `As root, the database runs as the system user "${ownName}", which could not be made: ${trouble} ` +
      `Make it (useradd --system ${ownName}), or run Longreach as another user.`,
  )
}

/** Accepted database user with this id, if there is one. */
export const knownUser = async (uid: number) =>
  (await usersOf()).find((user) => user.uid === uid && known.includes(user.name))

async function usersOf(): Promise<Owner[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/** Adds the system user; returns the error text when that fails. */
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
