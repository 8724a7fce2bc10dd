import { defineConfig } from 'vitest/config'

/** What is waited for costs nothing once it is there, and a machine may be busy with other work. */
const patient = { poll: { timeout: 60_000 } }
const slow = { hookTimeout: 180_000, testTimeout: 180_000, expect: patient }
/** Journeys that wait more than they work, so that two run at a time. */
const beside = [
  ...['agent-outage', 'attacks-*', 'isolation-*', 'bad-device', 'faults', 'wire-*', 'console'],
  ...[
    'account',
    'invitation',
    'registration',
    'services-and-keys',
    'roles',
    'acting-as',
    'first-run',
  ],
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
          name: 'journeys',
          include: beside,
          ...slow,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/src/**/*.e2e.ts'],
          exclude: [...beside, '**/node_modules/**'],
          ...slow,
          fileParallelism: false,
        },
      },
    ],
  },
})
