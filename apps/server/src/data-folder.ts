import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { systemFolder } from '@longreach/kit/embedded-postgres'

const standard = './data'

/**
 * Default data folder: `data`, if the database's user can reach it. As root the embedded database
 * has a user of its own, who cannot enter a closed folder such as /root; then it is a system folder
 * named after the present one.
 */
export function standardDataDir(
  databaseUrl: string | undefined,
  place = process.cwd(),
  isRoot = process.getuid?.() === 0,
) {
  if (!isRoot || databaseUrl !== undefined || isOpen(place)) return standard
  const mark = createHash('sha256').update(place).digest('hex').slice(0, 8)
  return path.join(systemFolder, `${path.basename(place)}-${mark}`)
}

function isOpen(place: string): boolean {
  if ((statSync(place).mode & 0o001) === 0) return false
  return place === path.dirname(place) || isOpen(path.dirname(place))
}
