import { defineConfig } from 'vitest/config'
import { testWorkers } from '../../scripts/test-workers.ts'

export default defineConfig({
  test: {
    name: 'portal',
    isolate: false,
    maxWorkers: testWorkers,
    include: ['*.test.ts', 'src/**/*.test.ts'],
    setupFiles: ['../../scripts/fuzz-seed.ts'],
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
