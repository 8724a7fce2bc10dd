import { spawnSync } from 'node:child_process'
import { buildPortal } from '../apps/server/src/build-portal.ts'

// Build the portal as a start does, then hold it against its budgets.
await buildPortal((text) => process.stdout.write(`${text}\n`)).packed
const { status } = spawnSync(process.execPath, ['apps/portal/bundle-size.ts'], { stdio: 'inherit' })
process.exit(status ?? 1)
