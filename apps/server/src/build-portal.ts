import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const stamp = path.join(root, 'apps/portal/dist/.sources')
const packedMark = path.join(root, 'apps/portal/dist/.packed')
const sources = [
  'apps/portal/{src,public}/**/*.{ts,tsx,css,json,svg,html}',
  'apps/portal/*.{ts,html,json}',
  'packages/*/src/**/*',
  'packages/ui/locales/**/*.json',
  'services/*/src/**/*contract.ts',
  'package-lock.json',
]

/**
 * Builds the portal when its sources have changed. `served` ends when its pages are ready, `packed`
 * when every text file has its best compression, which takes half of the time. Containers bring it
 * already built.
 */
export function buildPortal(say: (text: string) => void) {
  const { promise: served, resolve, reject } = Promise.withResolvers<void>()
  const packed = build(say, resolve)
  packed.then(resolve, reject)
  for (const end of [served, packed]) end.catch(() => undefined) // reported where it is awaited
  return { served, packed }
}

async function build(say: (text: string) => void, served: () => void) {
  if (process.env['PORTAL_SOURCES'] === 'served') return // by `npm run dev`
  const portal = path.join(root, 'apps/portal')
  if (!existsSync(path.join(portal, 'index.html'))) return
  const print = await fingerprint()
  const isBuilt = existsSync(stamp) && (await readFile(stamp, 'utf8')) === print
  if (isBuilt && existsSync(packedMark)) return
  if (isBuilt) served()
  else say('Building the portal …')
  const program = fileURLToPath(new URL('./portal-build.ts', import.meta.url))
  const child = spawn(process.execPath, [program, portal, print], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.once('message', served)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The portal could not be built; the lines above say why.')
}

async function fingerprint() {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob(sources, { cwd: root })) {
    if (/\.[a-z]+$/.test(file) && !file.includes('.test.')) files.push(file)
  }
  for (const file of files.toSorted())
    hash.update(file).update(await readFile(path.join(root, file)))
  return hash.digest('hex')
}
