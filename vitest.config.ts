import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A long time limit costs nothing when the condition is met early, and a machine may be busy. */
const patient = { poll: { timeout: 60_000 } }
const slow = { hookTimeout: 300_000, testTimeout: 300_000, expect: patient }
/** Files that take long, in the order in which they begin, so that none is left over at the end. */
const longest = [
  'administration-pages.e2e',
  'attacks-availability.e2e',
  'attacks-oversize.e2e',
  'portal-pages.e2e',
  'agent-outage.e2e',
  'keycloak-js-cases.browser.test',
  'factor-pages.browser.test',
]
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(`/${name}`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
const setupFiles = ['./scripts/fuzz-seed.ts']
/** Files share what they import: each has a database and servers of its own, and no state but that. */
const node = { ...slow, isolate: false, setupFiles, globalSetup: ['./scripts/test-postgres.ts'] }

export default defineConfig({
  test: {
    maxWorkers: 2,
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
          // Journeys wait more than they work: the third has its turn meanwhile. After all others.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          setupFiles: [...setupFiles, './e2e/src/failed-pages.ts'],
          name: 'e2e',
          globalSetup: ['./e2e/src/started-folders.ts'],
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
