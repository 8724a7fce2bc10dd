import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, chromiumPath } from '../../scripts/chromium.ts'
import { testWorkers } from '../../scripts/test-workers.ts'

const executablePath = chromiumPath()

/** Pages, and the components of `packages/ui`, in a real browser. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Named, so that none is found during a test, which would reload the page and bring a second React.
  optimizeDeps: {
    include: [
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/state',
      '@codemirror/view',
      '@formatjs/icu-messageformat-parser',
      '@lezer/highlight',
      '@mantine/core',
      '@mantine/form',
      '@mantine/hooks',
      '@mantine/spotlight',
      '@tabler/icons-react',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-table',
      '@tanstack/react-virtual',
      'axe-core',
      'topojson-client',
      'keycloak-js',
      'maplibre-gl/dist/maplibre-gl-csp.js',
      'pmtiles',
      'react',
      'react-dom',
      'react-dom/client',
      'react-intl',
      'react/jsx-dev-runtime',
      'uplot',
      'uqr',
      'vitest-browser-react',
      'zod',
    ],
  },
  test: {
    name: 'portal-pages',
    include: ['src/**/*.test.tsx', '../../packages/ui/src/**/*.test.tsx'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    maxWorkers: testWorkers,
    browser: {
      enabled: true,
      headless: true,
      // A busy machine takes its time to build what the tests import.
      connectTimeout: 300_000,
      screenshotFailures: false,
      provider: playwright({
        actionTimeout: 45_000,
        launchOptions: {
          args: chromiumFlags,
          ...(executablePath !== undefined && { executablePath }),
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1440, height: 860 } }],
    },
  },
})
