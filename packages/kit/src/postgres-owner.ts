import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from './database-access.ts'

const ownerFile = (home: string) => path.join(home, 'longreach.pid')

/**
 * State of the server in `home`: free, or in use by a living owner. An orphan, whose owner was
 * killed, is stopped first.
 */
export async function takeOver(home: string): Promise<'free' | 'in use'> {
  const owner = await pidIn(ownerFile(home))
  const server = await pidIn(path.join(home, 'postmaster.pid'))
  if (owner !== undefined && owner !== process.pid && isAlive(owner)) return 'in use'
  if (server === undefined || !isAlive(server) || !(await isPostgres(server))) return 'free'
  if (owner === process.pid) return 'in use'
  process.kill(server, 'SIGINT')
  while (isAlive(server)) await new Promise((done) => setTimeout(done, 50))
  return 'free'
}

export const claim = (home: string) => replaceFile(ownerFile(home), `${process.pid}\n`)
export const release = (home: string) => rm(ownerFile(home), { force: true })

async function pidIn(file: string) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Process check: a number in a lock file may belong to another program by now; only PostgreSQL is
 * stopped.
 */
async function isPostgres(pid: number) {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // the process ended in between
  return command.includes('postgres')
}
