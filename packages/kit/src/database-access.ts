import { rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { DatabaseFolder } from './database-folder.ts'

/**
 * Rules of who may connect, for the database's start: the system says which user is at the other end
 * of the socket, and only the one that runs this server, or root, is let in. Written at each start,
 * since that user may be another than last time.
 */
export async function accessSettings({ home }: Pick<DatabaseFolder, 'home'>) {
  const users = [...new Set([os.userInfo().username, 'root'])]
  const rules = 'local all longreach peer map=longreach\n'
  const names = users.map((name) => `longreach "${name}" longreach\n`).join('')
  const hba = path.join(home, 'longreach-access.conf')
  const ident = path.join(home, 'longreach-users.conf')
  await replaceFile(hba, rules)
  await replaceFile(ident, names)
  return { hba_file: hba, ident_file: ident }
}

/** Put a new file in a place whose present content, a link perhaps, is not followed. */
export async function replaceFile(file: string, text: string) {
  const fresh = `${file}.${process.pid}`
  await rm(fresh, { force: true })
  await writeFile(fresh, text, { flag: 'wx', mode: 0o644 })
  await rename(fresh, file)
}
