import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzip } from 'node:zlib'
import { build } from 'vite'

// Builds the portal in a process of its own, so that the memory of the tools is freed. It reports
// `served` when the pages are ready; the best compression, half of the work, runs after everything
// else.
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

/** Fingerprint of the sources that a folder was built from; undefined without a build. */
async function printOf(folder: string) {
  const stamp = path.join(folder, '.sources')
  return existsSync(stamp) ? readFile(stamp, 'utf8') : undefined
}

/**
 * Replaces the last build in one step, so that a server that runs meanwhile never sees a part of
 * one.
 */
async function replace(fresh: string) {
  const old = `${fresh}.old`
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error // the first build, or another start was first
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

/** Writes the gzip form of a text file, so that no request has to compress. */
async function addQuick(file: string) {
  await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file)))
}

/** Writes the brotli form of a text file, whole at once because requests may ask for it. */
async function addBest(file: string) {
  const text = await readFile(file)
  // The highest quality takes seconds for the few large files, which are loaded after the page
  // anyway.
  const quality = text.length > large ? 9 : constants.BROTLI_MAX_QUALITY
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, brotliCompressSync(text, { params }))
  await rename(fresh, `${file}.br`)
}
