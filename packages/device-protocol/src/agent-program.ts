import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'

/** Agent program as sent from the platform to a gateway: its sources and the packages they need. */
export const AgentProgram = z.object({
  format: z.literal(1),
  /** Package version and content hash, so that changed content is another version. */
  version: z.string().regex(/^[\w.+-]{1,100}$/),
  /** Packages to install at the gateway, with exact versions. */
  needs: z.record(z.string(), z.string()),
  files: z.record(
    z.string().regex(/^(?!.*\.\.)(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/, 'a path below the program'),
    z.string(),
  ),
})
export type AgentProgram = z.output<typeof AgentProgram>

const Package = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
})
const parts = [
  'apps/edge',
  'packages/device-protocol',
  'packages/rules',
  'packages/formula',
  'packages/calendar',
]
/** Files that are not sent: tests. The demo machines are sent, because `--simulate` starts one. */
const athome = /\.test\.ts$|for-tests\.ts$/
const largest = 64 * 1024 * 1024

/** Reads the program below `root`, which contains `apps/edge` and the packages that it needs. */
export async function readProgram(root: string): Promise<AgentProgram> {
  const files: Record<string, string> = {}
  const needs: Record<string, string> = {}
  let version = '0.0.0'
  for (const part of parts) {
    const text = await readFile(path.join(root, part, 'package.json'), 'utf8')
    const about = Package.parse(JSON.parse(text))
    if (part === parts[0]) version = about.version
    files[`${part}/package.json`] = text
    for (const [name, wanted] of Object.entries(about.dependencies)) {
      if (!name.startsWith('@longreach/')) needs[name] = wanted
    }
    const folder = path.join(root, part, 'src')
    for (const name of (await readdir(folder)).toSorted()) {
      if (!name.endsWith('.ts') || athome.test(name)) continue
      files[`${part}/src/${name}`] = await readFile(path.join(folder, name), 'utf8')
    }
  }
  const mark = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8)
  return { format: 1, version: `${version}+${mark}`, needs, files }
}

export const packProgram = (program: AgentProgram): Promise<Buffer> =>
  promisify(gzip)(JSON.stringify(program))

/** Unpacks a program; throws on invalid bytes. */
export async function unpackProgram(bytes: Uint8Array): Promise<AgentProgram> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: largest })
  return AgentProgram.parse(JSON.parse(text.toString()))
}

export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
