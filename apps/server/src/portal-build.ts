import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import path from 'node:path'
import { build } from 'vite'

// The build of the portal, a program of its own: what the tools for it take ends with it.
const [portal = '', print = ''] = process.argv.slice(2)
const large = 300_000
const fresh = path.join(portal, `dist.${process.pid}`)
const configFile = path.join(portal, 'vite.config.ts')
await build({ root: portal, configFile, logLevel: 'warn', build: { outDir: fresh } })
await compress(fresh)
await writeFile(path.join(fresh, '.sources'), print)
await replace(path.join(portal, 'dist'), fresh)

/** Put a whole build in the place of the last: a server that runs, or starts beside, never sees half of one. */
async function replace(dist: string, fresh: string) {
  const old = `${fresh}.old`
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error // the first build, or another start was faster
  })
  await rename(fresh, dist).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY') throw error // another start put the same build there
  })
  for (const left of [old, fresh]) await rm(left, { recursive: true, force: true })
}

/** Leave each text file beside its brotli and gzip form, so that no request compresses. */
async function compress(dist: string) {
  const files: string[] = []
  for await (const name of glob('**/*.{js,css,html,svg,json}', { cwd: dist }))
    files.push(path.join(dist, name))
  await Promise.all(files.map(compressFile))
}

async function compressFile(file: string) {
  const text = await readFile(file)
  // The best takes seconds for the few large files, which come after the page anyway.
  const quality = text.length > large ? 9 : constants.BROTLI_MAX_QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(text, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(text))
}
