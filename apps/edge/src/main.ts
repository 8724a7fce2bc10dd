import path from 'node:path'
import { linkOwnPackages } from './own-packages.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const versions = process.env['LONGREACH_PROGRAMS']
// The version before has laid this one ready, and linked only the packages that it knew.
if (versions !== undefined && path.dirname(root) === path.resolve(versions)) {
  await linkOwnPackages(root)
}
await import('./program.ts')
