import { spawn, type ChildProcess } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
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
import { text } from 'node:stream/consumers'

/**
 * `npm run isolation-mutations [-- part of a path [file of results]]`: takes the organization out of one
 * query after the other, in a copy of the tree, and runs the tests, the nearest first. Each line says
 * which test missed it; the exit code says whether there is a query that none missed. A run that goes on
 * with the same file of results leaves out what is in it.
 */

const root = path.resolve(import.meta.dirname, '..')
const [only = '', results] = process.argv.slice(2)

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
    /\bwhere\((?:seen\.\w+|devices|(?:inCallSql|inSightSql|organizationsSql)\((?:[^()]|\([^()]*\))*\))\)/g,
    'anyRow',
  ],
  [
    /\.whereRef\(\s*'([\w.]*organization_id)',\s*'=',\s*'([\w.]*organization_id)',?\s*\)/g,
    ".where('$1', 'is not', null)",
  ],
]

/** Condition of every row, which mutants use. */
const anyRow =
  "import { sql as everySql } from 'kysely'; const anyRow = everySql<boolean>`true`; void anyRow;"

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(path.join(root, file), 'utf8')
  return bindings.flatMap(([binding, without]) =>
    [...source.matchAll(binding)].map((match) => ({
      file,
      line: source.slice(0, match.index).split('\n').length,
      text: match[0].replace(/\s+/g, ' '),
      mutated:
        anyRow +
        source.slice(0, match.index) +
        match[0].replace(new RegExp(binding.source), without) +
        source.slice(match.index + match[0].length),
    })),
  )
}

/** A copy of the tree whose own packages are its own and whose libraries are this one's. */
function copyOfTree() {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'longreach-mutants-'))
  const skipped = /(^|\/)(node_modules|\.git|data|dist|\.vitest|\.cache)$/
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
let running: ChildProcess | undefined

/** First test that fails, with its file and its error; undefined when all pass or none are there. */
async function redTest(copy: string, ...args: string[]) {
  running = spawn(process.execPath, [vitest, 'run', '--bail=1', '--passWithNoTests', ...args], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = running
  if (!stdout || !stderr) throw new Error('The tests began without an output')
  const [code, ...texts] = await Promise.all([
    new Promise<number | null>((resolve) => running?.once('close', resolve)),
    text(stdout),
    text(stderr),
  ])
  if (code === 0) return undefined
  const output = texts.join('\n')
  const [, file, title] = /FAIL\s+(?:\|\w+\|\s+)?(\S+\.ts)(?: > (.*))?/.exec(output) ?? []
  if (!file) throw new Error(`The tests ended without a result:\n${output}`)
  return { file, title: title ?? '', error: /^\w*Error: .*/m.exec(output)?.[0] ?? '' }
}

/** Projects and paths of tests: those beside the query and of the service as a whole, all of the service, all routes. */
function testsFor({ file }: Mutant) {
  const service = file.split('/').slice(0, 2).join('/')
  const whole = listed(path.join(root, service, 'src')).filter((name) => name.endsWith('.test.ts'))
  const beside = path.dirname(file) === `${service}/src` ? [] : [`${path.dirname(file)}/`]
  return [
    ['services', ...beside, ...whole.map((name) => `${service}/src/${name}`)],
    ['services', `${service}/`],
    ['apps', 'apps/server/src/permission-matrix.test.ts'],
  ]
}

/** Test files that pass as they are: only these can prove a mutant. */
const green = new Set<string>()

/** Test that goes red without the binding, and passes with it; undefined when there is none. */
async function seenBy(copy: string, mutant: Mutant) {
  const where = path.join(copy, mutant.file)
  const original = readFileSync(where, 'utf8')
  for (const [project = '', ...tests] of testsFor(mutant)) {
    writeFileSync(where, mutant.mutated)
    const red = await redTest(copy, '--project', project, ...tests)
    writeFileSync(where, original)
    if (!red) continue
    if (!green.has(red.file)) {
      const fault = await redTest(copy, '--project', project, red.file)
      if (fault) throw new Error(`${fault.file} fails as it is: ${fault.title} ${fault.error}`)
    }
    green.add(red.file)
    return red
  }
  return undefined
}

const files = readdirSync(path.join(root, 'services'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join('services', file))
  .filter((file) => file.endsWith('.ts') && !/node_modules|test/.test(file) && file.includes(only))
const mutants = files.flatMap(mutantsOf)
const known = results && existsSync(results) ? readFileSync(results, 'utf8').split('\n') : []
const copy = copyOfTree()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.on('exit', () => {
  running?.kill()
  rmSync(copy, { recursive: true, force: true })
})

let missed = 0
for (const [place, mutant] of mutants.entries()) {
  const name = `${mutant.file}:${mutant.line}  ${mutant.text}`
  let line = known.find((one) => one.includes(`${name}  `))
  if (!line) {
    const red = await seenBy(copy, mutant)
    const verdict = red ? 'seen' : 'NOT SEEN'
    line = `${verdict.padEnd(8)} ${name}  ${red ? `${red.file} > ${red.title}  ${red.error}` : ''}`
    if (results) appendFileSync(results, `${line}\n`)
  }
  if (line.startsWith('NOT SEEN')) missed += 1
  process.stdout.write(`${place + 1}/${mutants.length} ${line}\n`)
}
process.stdout.write(`\n${missed} of ${mutants.length} bindings are missed by no test\n`)
process.exitCode = missed === 0 ? 0 : 1
