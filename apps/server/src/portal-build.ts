import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzip } from 'node:zlib'
import { build } from 'vite'

// The build of the portal, a program of its own: what the tools for it take ends with it. It says
// `served` when the pages are there; the best compression, half of the work, comes behind all else.
const [portal = '', print = ''] = process.argv.slice(2)
const large = 300_000
const dist = path.join(portal, 'dist')
process.on('disconnect', () => process.exit())
process.channel?.unref()
if ((await printOf(dist)) !== print) await buildPages()
process.send?.('served')
os.setPriority(os.constants.priority.PRIORITY_LOW)
for (const file of await textsOf(dist)) if (!existsSync(`${file}.br`)) await addBest(file)
await writeFile(path.join(dist, '.packed'), '')

async function buildPages() {
  const fresh = path.join(portal, `dist.${process.pid}`)
  const configFile = path.join(portal, 'vite.config.ts')
  await build({ root: portal, configFile, logLevel: 'warn', build: { outDir: fresh } })
  await Promise.all((await textsOf(fresh)).map(addQuick))
  await writeFile(path.join(fresh, '.sources'), print)
  await replace(fresh)
}

/** The print of the sources that a folder was built from; undefined where nothing was. */
async function printOf(folder: string) {
  const stamp = path.join(folder, '.sources')
  return existsSync(stamp) ? readFile(stamp, 'utf8') : undefined
}

/** Put a whole build in the place of the last: a server that runs, or starts beside, never sees half of one. */
async function replace(fresh: string) {
  const old = `${fresh}.old`
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error // the first build, or another start was faster
  })
  await rename(fresh, dist).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY') throw error // another start put the same build there
  })
  for (const left of [old, fresh]) await rm(left, { recursive: true, force: true })
}

async function textsOf(folder: string) {
  const files: string[] = []
  for await (const name of glob('**/*.{js,css,html,svg,json}', { cwd: folder }))
    files.push(path.join(folder, name))
  return files.toSorted()
}

/** Leave the gzip form beside a text file, so that no request compresses. */
async function addQuick(file: string) {
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file)))
}

/** Leave the brotli form beside a text file: it appears whole, while others may be asked for. */
async function addBest(file: string) {
  const text = await readFile(file)
  // The best takes seconds for the few large files, which come after the page anyway.
  const quality = text.length > large ? 9 : constants.BROTLI_MAX_QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, brotliCompressSync(text, { params }))
  await rename(fresh, `${file}.br`)
}
