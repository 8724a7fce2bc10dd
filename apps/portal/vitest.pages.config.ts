import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, chromiumPath } from '../../scripts/chromium.ts'

const executablePath = chromiumPath()

/** Components and pages in a real browser. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  optimizeDeps: { include: ['axe-core', 'react-dom/client', 'vitest-browser-react'] },
  test: {
    name: 'portal-pages',
    include: ['src/**/*.test.tsx', '../../packages/ui/src/**/*.test.tsx'],
    testTimeout: 30_000,
    fileParallelism: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        actionTimeout: 5_000,
        launchOptions: {
          args: chromiumFlags,
          ...(executablePath !== undefined && { executablePath }),
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1440, height: 860 } }],
    },
  },
})
