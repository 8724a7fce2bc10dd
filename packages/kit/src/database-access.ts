import { rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { DatabaseFolder } from './database-folder.ts'

/**
 * Settings that limit the database to its own user and root, by peer authentication on the Unix
 * socket. They are written at each start, because the user can change.
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

/** Writes a new file in place of the present entry; a symbolic link is replaced, not followed. */
export async function replaceFile(file: string, text: string) {
  const fresh = `${file}.${process.pid}`
  await rm(fresh, { force: true })
  await writeFile(fresh, text, { flag: 'wx', mode: 0o644 })
  await rename(fresh, file)
}
