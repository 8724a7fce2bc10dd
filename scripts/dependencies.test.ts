import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string> | undefined> & {
  name: string
}
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest
const namesIn = (list: Record<string, string> | undefined) => Object.keys(list ?? {})

/** Tools of the tests and the build, which the root declares for every package. */
const shared = namesIn(manifestOf('.').devDependencies)
const folders = [
  ...globSync('{packages,services,apps}/*/package.json', { cwd: root }).map(path.dirname),
  'e2e',
  'bench',
].toSorted()
/** Files that do not run in the product: those of tests, and beside `src` those of the build. */
const isBeside = (file: string) =>
  !file.startsWith('src/') ||
  /\.test\.tsx?$|(^|[/-])(test|testing|tests)(-[\w-]+)?\.tsx?$/.test(file)

const isInProduct = (folder: string) => folder !== 'e2e' && folder !== 'bench'

/** Package of an import; undefined for a file, a module of Node or a made-up one. */
function packageOf(name: string) {
  if (!/^@?[a-z]/.test(name) || name.startsWith('node:')) return undefined
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

/** Names of packages in style sheets, and where Node is asked for the place of one. */
const named = /(?:@import |createRequire\([\w.]+\)(?:\.resolve)?\(|require\.resolve\()\s*'([^']+)'/g

/** Packages that the sources of a folder import, each with one file that does, apart for tests. */
function importsOf(folder: string) {
  const product = new Map<string, string>()
  const tests = new Map<string, string>()
  const files = globSync('**/*.{ts,tsx,mts,css}', {
    cwd: path.join(root, folder),
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  for (const file of files) {
    const text = readFileSync(path.join(root, folder, file), 'utf8')
    const found = [...text.matchAll(named)].map(([, name = '']) => name)
    if (!file.endsWith('.css'))
      found.push(...ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName))
    const here = isInProduct(folder) && !isBeside(file) ? product : tests
    for (const name of found.map(packageOf)) if (name) here.set(name, path.join(folder, file))
  }
  return { product, tests }
}

test.each(folders)('%s declares what it imports, and nothing else', (folder) => {
  const { name: own, dependencies, devDependencies } = manifestOf(folder)
  const { product, tests } = importsOf(folder)
  const [needed, beside] = [namesIn(dependencies), namesIn(devDependencies)]
  const isDeclared = (name: string, where: readonly string[]) =>
    name === own || where.includes(name) || beside.includes(`@types/${name}`)
  const missing = [
    ...[...product].filter(([name]) => !isDeclared(name, needed)),
    ...[...tests].filter(([name]) => !isDeclared(name, [...needed, ...beside, ...shared])),
  ]
  expect(missing, 'imported and not declared').toEqual([])
  const used = new Set([...product.keys(), ...tests.keys()])
  const isUsed = (name: string) => used.has(name) || used.has(name.replace(/^@types\//, ''))
  const unused = [...needed, ...beside].filter((name) => !isUsed(name))
  expect(unused, 'declared and not imported').toEqual([])
})
