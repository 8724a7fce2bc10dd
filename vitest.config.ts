import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { testWorkers } from './scripts/test-workers.ts'

const root = import.meta.dirname

/** Projects in the order in which they begin: what waits most first, many small files last. */
const projects = ['e2e', 'apps', 'services', 'packages', 'portal']

/** Seconds of the files that take some, by their path; `node scripts/test-durations.ts` writes them. */
const durations = JSON.parse(
  readFileSync(path.join(root, 'scripts/test-durations.json'), 'utf8'),
) as Record<string, number>

const placeOf = ({ project }: TestSpecification) => {
  const place = projects.indexOf(project.name)
  return place === -1 ? projects.length : place
}
const secondsOf = ({ moduleId }: TestSpecification) => durations[path.relative(root, moduleId)] ?? 0

/** Order of test files: by project, in each the longest first, so that no core is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || secondsOf(other) - secondsOf(one),
    )
  }
}

/** A long time limit costs nothing when the condition is met early, and a machine may be busy. */
const patient = { poll: { timeout: 60_000 } }
const slow = { hookTimeout: 300_000, testTimeout: 300_000, expect: patient }
const setupFiles = ['./scripts/fuzz-seed.ts']
/** Files share what they import: each has a database and servers of its own, and no state but that. */
const node = { ...slow, isolate: false, setupFiles, globalSetup: ['./scripts/test-postgres.ts'] }

export default defineConfig({
  test: {
    maxWorkers: testWorkers,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...node, name: 'packages', include: ['packages/*/src/**/*.test.ts'] } },
      { test: { ...node, name: 'services', include: ['services/*/src/**/*.test.ts'] } },
      {
        test: {
          ...node,
          name: 'apps',
          include: ['apps/{server,edge}/src/**/*.test.ts', 'scripts/*.test.ts'],
        },
      },
      './apps/portal/vitest.config.ts',
      './apps/portal/vitest.pages.config.ts',
      {
        test: {
          ...slow,
          isolate: false,
          setupFiles: [...setupFiles, './e2e/src/failed-pages.ts'],
          name: 'e2e',
          globalSetup: ['./e2e/src/started-folders.ts', './e2e/src/shared-worlds.ts'],
          include: ['e2e/src/**/*.e2e.ts'],
        },
      },
      {
        // Needs a Keycloak: `npm run keycloak` starts one.
        test: { ...slow, name: 'keycloak', include: ['e2e/src/keycloak/*.keycloak.ts'] },
      },
    ],
  },
})
