import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run bench -- telemetry --full` runs bench/telemetry.ts; without a name it lists what there is.
const folder = fileURLToPath(new URL('.', import.meta.url))
const parts = new Set(['main.ts', 'report.ts'])
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !parts.has(file) && !file.endsWith('.test.ts'))
  .map((file) => path.basename(file, '.ts'))

const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  process.stdout.write(`npm run bench -- <name>, one of: ${names.join(', ')}\n`)
  process.exit(name === undefined ? 0 : 2)
}
const { status } = spawnSync(process.execPath, [path.join(folder, `${name}.ts`), ...args], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
