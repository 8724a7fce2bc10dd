import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Something that is added to the project: its own files, and lines in files that others share. */
export type Addition = {
  /** Texts of new files, by their path. */
  files: Readonly<Record<string, string>>
  /** Changes of existing files. */
  edits: readonly Edit[]
  /** Folders of new packages, which `npm install` links. */
  packages?: readonly string[]
}

/** Lines that are put behind the first place where `after` stands. */
type Edit = { file: string; after: string; lines: string }

const root = path.join(import.meta.dirname, '..')
const folders = ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts']
const settings = [
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const isMade = (name: string) => /^(node_modules|dist.*|data|\.vite.*|\.vitest)$/.test(name)

/** Copy of the project's sources in a folder of its own; its packages are links to the installed ones. */
export async function copyProject() {
  const folder = await mkdtemp(path.join(tmpdir(), 'longreach-copy-'))
  for (const name of [...folders, ...settings.filter((one) => existsSync(path.join(root, one)))]) {
    const filter = (from: string) => !isMade(path.basename(from))
    await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter })
  }
  await linkPackages(folder)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function linkPackages(folder: string) {
  const installed = path.join(root, 'node_modules')
  await mkdir(path.join(folder, 'node_modules/@longreach'), { recursive: true })
  for (const name of await readdir(installed)) {
    // What tools keep in their caches belongs to one checkout.
    if (name === '@longreach' || (name.startsWith('.') && name !== '.bin')) continue
    await symlink(path.join(installed, name), path.join(folder, 'node_modules', name))
  }
  for (const area of ['packages', 'services', 'apps'])
    for (const name of await readdir(path.join(folder, area)))
      if (existsSync(path.join(folder, area, name, 'package.json')))
        await linkPackage(folder, `${area}/${name}`)
}

const linkPackage = (folder: string, place: string) =>
  symlink(
    path.join(folder, place),
    path.join(folder, 'node_modules/@longreach', path.basename(place)),
  )

/** Adds to a copy: refuses a new file that exists already, and an edit whose place is not found. */
export async function addTo(folder: string, { files, edits, packages = [] }: Addition) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text, { flag: 'wx' })
  }
  for (const { file, after, lines } of edits) {
    const place = path.join(folder, file)
    const text = await readFile(place, 'utf8')
    if (!text.includes(after)) throw new Error(`${file} does not contain: ${after}`)
    await writeFile(
      place,
      text.replace(after, () => after + lines),
    )
  }
  for (const one of packages) await linkPackage(folder, one)
}

/** Existing files that an addition changes. */
export const sharedFiles = ({ edits }: Addition) => [...new Set(edits.map(({ file }) => file))]

const execute = promisify(execFile)

/** Runs a program with this Node in a folder; answers what it printed, and whether it succeeded. */
export async function runIn(folder: string, args: readonly string[]) {
  // A test run of its own: settings of the one that asks are not for it.
  const env = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV',
  )
  const options = { cwd: folder, env: Object.fromEntries(env), maxBuffer: 32_000_000 }
  try {
    const { stdout, stderr } = await execute(process.execPath, args, options)
    return { ok: true, text: stdout + stderr }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { ok: false, text: `${stdout}${stderr}` }
  }
}
