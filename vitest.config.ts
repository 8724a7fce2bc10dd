import { defineConfig } from 'vitest/config'

const slow = { hookTimeout: 120_000, testTimeout: 60_000 }
/** Journeys without a browser: they wait more than they work, so that two run at a time. */
const browserless = [
  'attacks-*',
  'isolation-*',
  'agent-outage',
  'bad-device',
  'faults',
  'wire-*',
].map((name) => `e2e/src/${name}.e2e.ts`)
const node = { ...slow, globalSetup: ['./scripts/test-postgres.ts'] }

export default defineConfig({
  test: {
    maxWorkers: 2,
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
          name: 'browserless',
          include: browserless,
          hookTimeout: 180_000,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.ts'],
          exclude: [...browserless, '**/node_modules/**'],
          hookTimeout: 180_000,
          testTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
