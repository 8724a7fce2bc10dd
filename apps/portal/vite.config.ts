import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { compiledWords } from './compiled-words.ts'
import { deepImports } from './deep-imports.ts'

export default defineConfig(({ command }) => {
  // Whoever builds, a test run included: what is served is the production code of every library.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return portal
})

const portal: UserConfig = {
  root: import.meta.dirname,
  plugins: [compiledWords(), deepImports(), react()],
  build: {
    manifest: true,
    target: 'es2023',
    // Colours by `light-dark()` stay as written: what stands for it in older browsers needs a fixed scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 2500,
    modulePreload: {
      // A file of words needs no other; listing each beside its import would make the door larger.
      resolveDependencies: (file, needed) => (/\/-\w\w-[\w-]+\.js$/.test(file) ? [] : needed),
    },
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      output: {
        // One file for each language with the words that everybody loads, and one for each section.
        codeSplitting: {
          groups: [
            {
              debugName: 'words',
              name: wordsFile,
            },
          ],
        },
      },
    },
  },
}

const atOnce = new Set(['shell', 'ui', 'door'])

function wordsFile(id: string) {
  const [, language, part = ''] = /\/locales\/(\w+)\/([\w-]+)\.json$/.exec(id) ?? []
  if (language === undefined) return null
  return atOnce.has(part) ? `-${language}` : `-${language}-${part}`
}
