import { spawnSync } from 'node:child_process'

// Tests of the files whose path contains a given text: `npm run test:one -- roles.test -t "a title"`.
const args = process.argv.slice(2)
if (args.length === 0) {
  process.stderr.write(
    'Name a file, or a part of its path: npm run test:one -- services/core/src/roles -t "a title"\n',
  )
  process.exit(2)
}
const how = args.includes('--watch') ? [] : ['run']
const { status, error } = spawnSync('vitest', [...how, ...args], { stdio: 'inherit' })
if (error) throw error
process.exit(status ?? 1)
