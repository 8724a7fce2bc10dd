import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

type Chunk = {
  file: string
  src?: string
  name?: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>
type Size = { what: string; kB: number; budgetKB: number }

const dist = fileURLToPath(new URL('dist/', import.meta.url))

/**
 * Sizes of the files that a person loads, in kB (1000 bytes) after gzip -9, with their budgets. A
 * page's size is its own chunk and all that it imports at once, without the parts that load later
 * (palette, menus, dialogs).
 */
export function bundleSizes(folder = dist): Size[] {
  const { manifest, keyOf } = readManifest(folder)
  const entry = keyOf('index.html')
  const words = Object.keys(manifest).find((key) => manifest[key]?.name?.endsWith('en')) ?? entry
  const sizeOfFiles = (files: string[]) => {
    const bytes = [...new Set(files)].reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
      0,
    )
    return Math.round(bytes / 100) / 10
  }
  const sizeOf = (pick: (chunk: Chunk) => string[], ...keys: string[]) => {
    const files = [...closure(manifest, keys)].flatMap((key) => pick(manifest[key] ?? { file: '' }))
    return sizeOfFiles(files)
  }
  const js = (chunk: Chunk) => (chunk.file.endsWith('.js') ? [chunk.file] : [])
  const css = (chunk: Chunk) => chunk.css ?? []
  const shell = [entry, words, keyOf('base'), keyOf('portal')]
  const door = [entry, words, keyOf('base'), keyOf('src/app/sign-in/SignIn.tsx')]
  const pages = Object.keys(manifest).filter((key) =>
    /src\/sections\/[^/]+\/(?:[\w-]+\/)?\w+Page\.tsx$/.test(manifest[key]?.src ?? ''),
  )
  const inShell = closure(manifest, shell)
  // What only this page brings; parts that another page or the shell loads too are not its own.
  const own = (key: string) => {
    const others = closure(
      manifest,
      pages.filter((page) => page !== key),
    )
    const alone = [...closure(manifest, [key])].filter(
      (one) => !inShell.has(one) && !others.has(one),
    )
    return sizeOfFiles(alone.flatMap((one) => js(manifest[one] ?? { file: '' })))
  }
  return [
    { what: 'shell, JS', kB: sizeOf(js, ...shell), budgetKB: 188 },
    { what: 'sign-in and organization selector, JS', kB: sizeOf(js, ...door), budgetKB: 123 },
    { what: 'shell, CSS', kB: sizeOf(css, ...shell), budgetKB: 20 },
    // A list page is named for what it lists: DevicesPage, PeoplePage.
    ...pages
      .filter((key) => /(?:s|People)Page\.tsx$/.test(key))
      .map((key) => ({
        what: `first load of ${nameOf(key)}, JS`,
        kB: sizeOf(js, ...shell, key),
        budgetKB: 257,
      })),
    {
      what: 'first load of a device, JS',
      kB: sizeOf(js, ...shell, keyOf('devices/page/DevicePage.tsx')),
      budgetKB: 227,
    },
    {
      what: 'first load of the explorer, JS',
      kB: sizeOf(js, ...shell, keyOf('data-explore/ExplorePage.tsx')),
      budgetKB: 264,
    },
    ...pages.map((key) => ({ what: `${nameOf(key)} alone, JS`, kB: own(key), budgetKB: 60 })),
    {
      what: 'the device map, JS',
      kB: own(keyOf('src/sections/device-map/MapView.tsx')),
      budgetKB: 300,
    },
    { what: 'its countries', kB: sizeOf(js, keyOf('countries-50m.json')), budgetKB: 250 },
  ]
}

function readManifest(folder: string) {
  const file = join(folder, '.vite/manifest.json')
  if (!existsSync(file)) throw new Error(`No build in ${folder}: run vite build first`)
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest // written by vite
  const keyOf = (source: string) => {
    const found = Object.keys(manifest).find(
      (key) => manifest[key]?.src?.endsWith(source) || manifest[key]?.name === source,
    )
    if (found === undefined) throw new Error(`${source} is not in the build`)
    return found
  }
  return { manifest, keyOf }
}

/** Scripts of the sign-in page and of the first page, by their names without hashes, with all bytes after gzip. */
export function firstLoads(folder = dist) {
  const { manifest, keyOf } = readManifest(folder)
  const first = {
    'sign-in': ['src/app/sign-in/SignIn.tsx'],
    devices: ['portal', 'src/sections/devices/list/DevicesPage.tsx'],
  }
  return Object.entries(first).map(([what, sources]) => {
    const keys = closure(manifest, ['index.html', 'base', ...sources].map(keyOf))
    const files = [...keys].map((key) => manifest[key]?.file ?? '')
    const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }))
    return {
      what,
      files: files.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).toSorted(),
      bytes: sizes.reduce((sum, { length }) => sum + length, 0),
    }
  })
}

const nameOf = (key: string) => key.replace(/^.*src\/sections\//, '')

function closure(manifest: Manifest, keys: readonly string[]) {
  const reached = new Set<string>()
  const open = [...keys]
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    open.push(...(manifest[key]?.imports ?? []))
  }
  return reached
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = bundleSizes()
  for (const { what, kB, budgetKB } of sizes) {
    const verdict = kB > budgetKB ? 'over' : 'of'
    process.stdout.write(`${kB.toFixed(1).padStart(7)} kB ${verdict} ${budgetKB} kB  ${what}\n`)
  }
  if (sizes.some(({ kB, budgetKB }) => kB > budgetKB)) process.exitCode = 1
}
