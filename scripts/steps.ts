import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

export type Step = { name: string; command: string; args: string[]; env?: Record<string, string> }

/** Environment of a step: that of this process, and its own. */
export const environmentOf = ({ env }: Step) => ({ ...process.env, ...env })

const sources = ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts']
/** Projects of vitest but for `keycloak`, which needs a Keycloak. */
const unit = ['packages', 'services', 'apps', 'portal', 'portal-pages']

const vitest = (projects: readonly string[], ...more: string[]) => [
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  ...more,
]

/**
 * The linter reads the whole program once in each of its threads, and sweeps its memory often: with half
 * of the processors, the compiler being on the others, it takes half of the processor time.
 */
const lintEnv = {
  GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))),
  GOGC: '400',
}

/** Steps of `npm run check`, the cheapest first; types and lint run beside each other. */
export const checks: Step[] = [
  { name: 'format', command: 'oxfmt', args: ['--check', ...sources] },
  { name: 'style sheets', command: process.execPath, args: ['scripts/css-classes.ts'] },
  { name: 'wording', command: process.execPath, args: ['scripts/wording.ts'] },
  { name: 'messages', command: process.execPath, args: ['apps/portal/check-messages.ts'] },
  { name: 'boundaries', command: process.execPath, args: ['scripts/boundaries.ts'] },
  {
    // Checkers repeat each other's work: two take half again the processor time of one.
    name: 'types',
    command: process.execPath,
    args: ['node_modules/typescript-native/bin/tsc', '-p', '.', '--checkers', '1'],
  },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings', ...sources],
    env: lintEnv,
  },
]

/** Steps of `npm test` before the tests, which run beside each other, cheapest first. */
export const beforeTests: Step[] = [
  ...checks,
  { name: 'portal sizes', command: process.execPath, args: ['scripts/portal-sizes.ts'] },
]

/** All tests as one run: pages and journeys wait about as long as they work, and others work meanwhile. */
export const tests: Step = {
  name: 'tests',
  command: 'vitest',
  args: vitest(
    [...unit, 'e2e'],
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=node_modules/.cache/tests.json',
  ),
}

/** Parts of the tests, which run when they are named. */
export const partsOfTests: Step[] = [
  { name: 'unit and page tests', command: 'vitest', args: vitest(unit) },
  { name: 'journeys and attacks', command: 'vitest', args: vitest(['e2e']) },
]

/** Run steps in order; the first that fails ends the run with its exit code. */
export function runSteps(list: readonly Step[]) {
  for (const step of list) {
    const { name, command, args } = step
    const began = Date.now()
    process.stdout.write(`\n── ${name}\n`)
    const { status, error } = spawnSync(command, args, {
      stdio: 'inherit',
      env: environmentOf(step),
    })
    if (error) throw error
    if (status !== 0) {
      process.stdout.write(`\n${name} failed\n`)
      process.exit(status ?? 1)
    }
    process.stdout.write(`   ${name}: ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
  }
}
