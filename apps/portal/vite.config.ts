import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledWords } from './compiled-words.ts'
import { deepImports } from './deep-imports.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [compiledWords(), deepImports(), react()],
  build: {
    manifest: true,
    target: 'es2023',
    chunkSizeWarningLimit: 2500,
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      output: {
        // One file of words for each language.
        codeSplitting: {
          groups: [
            {
              debugName: 'words',
              name: (id) => /\/locales\/(\w+)\//.exec(id)?.[1]?.padStart(3, '-') ?? null,
            },
          ],
        },
      },
    },
  },
})
