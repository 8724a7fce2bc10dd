import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const file = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
)

/** The portal's font at an address that stays, for the pages of identity. */
export function sharedFont(): Plugin {
  return {
    name: 'shared-font',
    apply: 'build',
    async generateBundle() {
      const source = await readFile(file)
      this.emitFile({ type: 'asset', fileName: 'fonts/inter.woff2', source })
    },
  }
}
