import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, chromiumPath } from '../../scripts/chromium.ts'
import { testWorkers } from '../../scripts/test-workers.ts'

const executablePath = chromiumPath()

/** Pages, and the components of `packages/ui`, in a real browser. */
export default defineConfig({
  root: import.meta.dirname,
  // React as people have it: the one for development takes twice the time.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  // Named, so that none is found during a test, which would reload the page and bring a second React.
  optimizeDeps: {
    rolldownOptions: {
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      // Every test file reads them anew.
      output: { minify: true },
    },
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
      'react/jsx-runtime',
      'uplot',
      'uqr',
      'vitest-browser-react',
      'zod',
    ],
  },
  test: {
    name: 'portal-pages',
    setupFiles: ['src/drawn-at-once.ts'],
    include: ['src/**/*.test.tsx', '../../packages/ui/src/**/*.test.tsx'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000 } },
    maxWorkers: testWorkers,
    browser: {
      enabled: true,
      headless: true,
      // A busy machine takes its time to build what the tests import.
      connectTimeout: 300_000,
      screenshotFailures: false,
      provider: playwright({
        actionTimeout: 90_000,
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: {
          args: chromiumFlags,
          ...(executablePath !== undefined && { executablePath }),
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1440, height: 860 } }],
    },
  },
})
