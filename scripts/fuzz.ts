import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run fuzz [-- rounds]`: runs every test that asks random questions, each round with others than
 * `npm test` asks. The seed of a round is printed; FUZZ_SEED repeats it. Ends at the first fault.
 */

const root = path.resolve(import.meta.dirname, '..')
const rounds = Number(process.argv[2] ?? 10)
if (!Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(
    `"${process.argv[2]}" is no number of rounds. For example: npm run fuzz -- 10\n`,
  )
  process.exit(2)
}

const isTest = /\.(test|e2e)\.ts$/
const files = ['packages', 'services', 'apps', 'e2e']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => isTest.test(file) && !file.includes('node_modules'))
  .filter((file) => readFileSync(path.join(root, file), 'utf8').includes("'fast-check'"))

for (let round = 1; round <= rounds; round++) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  process.stdout.write(`\n── round ${round} of ${rounds}, FUZZ_SEED=${seed}\n`)
  const { status } = spawnSync('vitest', ['run', ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEED: String(seed) },
  })
  if (status !== 0) process.exit(status ?? 1)
}
