import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'portal',
    isolate: false,
    maxWorkers: 2,
    include: ['*.test.ts', 'src/**/*.test.ts'],
    setupFiles: ['../../scripts/fuzz-seed.ts'],
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
