import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { systemFolder } from '@longreach/kit/embedded-postgres'

const standard = './data'

/**
 * The data folder of those who name none: `data` where one stands. As root the embedded database has a
 * user of its own, who cannot come there when a folder above is closed, as /root is: then a folder of
 * the system's, named for the place.
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
