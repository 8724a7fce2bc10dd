import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { stageGroups } from './chunks.ts'
import { compiledWords } from './compiled-words.ts'
import { deepImports } from './deep-imports.ts'
import { firstFiles } from './first-files.ts'
import { joinedWords } from './section-bundles.ts'
import { preloadsBehindCalls } from './preloads-behind-calls.ts'
import { sharedFont } from './shared-font.ts'
import { wireContracts } from './wire-contracts.ts'
import { wordsIn } from './src/parts/words/word-places.ts'

export default defineConfig(({ command }) => {
  // Every build, also one in a test run, serves the production code of every library.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return portal
})

const portal: UserConfig = {
  root: import.meta.dirname,
  json: { namedExports: false },
  plugins: [
    wireContracts(),
    compiledWords(),
    deepImports(),
    firstFiles(),
    sharedFont(),
    preloadsBehindCalls(),
    react(),
  ],
  build: {
    manifest: true,
    target: 'es2023',
    // Colours by `light-dark()` stay as written: what stands for it in older browsers needs a fixed scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 2500,
    modulePreload: {
      // All browsers of the targets know it.
      polyfill: false,
      // A file of words needs no other; a list beside each import would make the first file larger.
      resolveDependencies: (file, needed) => (/\/-\w\w-[\w-]+\.js$/.test(file) ? [] : needed),
    },
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      output: {
        // For each language a file of words that everybody loads, one for the portal and one for each section.
        codeSplitting: {
          groups: [
            {
              debugName: 'words',
              name: wordsFile,
              priority: 100,
            },
            ...stageGroups(),
          ],
        },
      },
    },
  },
}

/** Words of the shell and of parts that are needed together. What sections join stands in their `bundle.json`. */
const together: Record<string, readonly string[]> = {
  '': ['shell', 'ui', 'door'],
  '-portal': ['errors', 'charts', 'live', 'jobs', 'features', 'directaccess'],
  '-seldom': ['agreements', 'register'],
}

function wordsFile(id: string) {
  const found = wordsIn(id)
  if (found === undefined) return null
  const { language, name } = found
  const file = Object.keys(together).find((one) => together[one]?.includes(name))
  return `-${language}${file ?? `-${joinedWords(name) ?? name}`}`
}
