import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { sharedFont } from './shared-font.ts'

test('a build has the font at the address that the pages of identity ask for', async () => {
  const outDir = path.join(tmpdir(), `longreach-font-${process.pid}`)
  const entry = 'virtual:empty'
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { outDir, rolldownOptions: { input: entry } },
    plugins: [
      sharedFont(),
      {
        name: 'empty',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? 'export const nothing = 0' : undefined),
      },
    ],
  })
  const font = await readFile(path.join(outDir, 'fonts/inter.woff2'))
  expect(font.subarray(0, 4).toString()).toBe('wOF2')
  await rm(outDir, { recursive: true })
})
