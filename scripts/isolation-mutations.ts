import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * `npm run isolation-mutations [-- part of a path]`: takes the organization out of one query after the
 * other, in a copy of the tree, and runs the tests. A query that no test misses is listed; the exit
 * code says whether there is one.
 */

const root = path.resolve(import.meta.dirname, '..')
const only = process.argv[2] ?? ''

type Mutant = { file: string; line: number; text: string; mutated: string }

/** Conditions that bind a query to an organization, and the same without the binding. */
const bindings: [RegExp, string][] = [
  [
    /\.where\(\s*'([\w.]*organization(?:_id)?|[\w.]*resource_id|(?:\w+\.)?org)',\s*'=',\s*[^()]+?\)/g,
    ".where('$1', 'is not', null)",
  ],
  [/\b([\w.]*organization(?:_id)?|(?:\w+\.)?org) = (\$\d|\$\{[^}]+\})/g, '($1 = $2 or true)'],
  // Limits of whole lists, which services keep in one condition.
  [/\$\{(?:visible\.rows|devicesOfCall\(ctx\))\}/g, 'true'],
  [/^(\s+)visible\.rows,$/gm, '$1anyRow,'],
  [/\bwhere\(isWithinSql\(reach, '[\w.]+'\)\)/g, 'anyRow'],
  [
    /\.whereRef\(\s*'([\w.]*organization_id)',\s*'=',\s*'([\w.]*organization_id)',?\s*\)/g,
    ".where('$1', 'is not', null)",
  ],
]

/** Condition of every row, which mutants use. */
const anyRow =
  "import { sql as everySql } from 'kysely'; const anyRow = everySql<boolean>`true`; void anyRow;"

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return bindings.flatMap(([binding, without]) =>
    [...text.matchAll(binding)].map((match) => ({
      file,
      line: text.slice(0, match.index).split('\n').length,
      text: match[0].replace(/\s+/g, ' '),
      mutated:
        anyRow +
        text.slice(0, match.index) +
        match[0].replace(new RegExp(binding.source), without) +
        text.slice(match.index + match[0].length),
    })),
  )
}

/** A copy of the tree whose own packages are its own and whose libraries are this one's. */
function copyOfTree() {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'longreach-mutants-'))
  const skipped = /(^|\/)(node_modules|\.git|data|dist|\.vitest)$/
  for (const name of readdirSync(root)) {
    if (skipped.test(name)) continue
    const filter = (source: string) => !skipped.test(source)
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true, filter })
  }
  for (const folder of ['.', ...workspaces()]) linkLibraries(copy, folder)
  return copy
}

const workspaces = () =>
  ['packages', 'services', 'apps'].flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => path.join(group, name)),
  )

function linkLibraries(copy: string, folder: string) {
  const libraries = path.join(root, folder, 'node_modules')
  const names = listed(libraries).filter((name) => !name.startsWith('.') && name !== '@longreach')
  if (names.length === 0 && folder !== '.') return
  const target = path.join(copy, folder, 'node_modules')
  mkdirSync(path.join(target, '@longreach'), { recursive: true })
  for (const name of names) symlinkSync(path.join(libraries, name), path.join(target, name))
  if (folder !== '.') return
  for (const workspace of workspaces()) {
    const link = path.join(target, '@longreach', path.basename(workspace))
    symlinkSync(path.join(copy, workspace), link)
  }
}

function listed(folder: string) {
  try {
    return readdirSync(folder)
  } catch {
    return [] // a workspace without libraries of its own
  }
}

const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')

function passes(copy: string, ...args: string[]) {
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--bail=1', ...args], {
    cwd: copy,
    stdio: 'ignore',
  })
  return status === 0
}

/** Do the tests of everything stay green without the binding? The matrix over all routes comes first. */
function survives(copy: string, { file }: Mutant) {
  const service = file.split('/').slice(0, 2).join('/')
  return (
    passes(copy, '--project', 'apps', 'apps/server/src/permission-matrix.test.ts') &&
    passes(copy, '--project', 'services', service)
  )
}

const files = readdirSync(path.join(root, 'services'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join('services', file))
  .filter((file) => file.endsWith('.ts') && !/node_modules|test/.test(file) && file.includes(only))
const mutants = files.flatMap(mutantsOf)
const copy = copyOfTree()
process.on('SIGINT', () => process.exit(130))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))

const services = new Set(mutants.map(({ file }) => file.split('/').slice(0, 2).join('/')))
for (const service of services) {
  if (passes(copy, '--project', 'services', service)) continue
  process.stdout.write(`The tests of ${service} fail as they are; a mutant would prove nothing\n`)
  process.exit(2)
}

const survivors: Mutant[] = []
for (const [place, mutant] of mutants.entries()) {
  const where = path.join(copy, mutant.file)
  const original = readFileSync(where, 'utf8')
  writeFileSync(where, mutant.mutated)
  const survived = survives(copy, mutant)
  writeFileSync(where, original)
  if (survived) survivors.push(mutant)
  const verdict = survived ? 'NOT SEEN' : 'seen'
  process.stdout.write(
    `${place + 1}/${mutants.length} ${verdict.padEnd(8)} ${mutant.file}:${mutant.line}  ${mutant.text}\n`,
  )
}
process.stdout.write(`\n${survivors.length} of ${mutants.length} bindings are missed by no test\n`)
process.exitCode = survivors.length === 0 ? 0 : 1
