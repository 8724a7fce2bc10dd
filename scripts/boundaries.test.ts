import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFaults } from './boundaries.ts'
import { readModules } from './modules.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'longreach-boundaries-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const known = { parts: [], services: [], names: {} }

/** Lay files out in a tree of their own and find what breaks the boundaries there. */
async function faultsOf(files: Record<string, string>, exceptions: Exceptions = known) {
  const place = await mkdtemp(path.join(folder, 'tree-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(place, name)), { recursive: true })
    await writeFile(path.join(place, name), text)
  }
  return findFaults(readModules(place), exceptions)
}
type Exceptions = Parameters<typeof findFaults>[1]
const rulesOf = async (...asked: Parameters<typeof faultsOf>) => [
  ...new Set((await faultsOf(...asked)).map(({ rule }) => rule)),
]

/** An import of one file by another, which uses nothing by name. */
function imports(from: string, to: string) {
  const relative = path.relative(path.dirname(from), to)
  return `import '${relative.startsWith('.') ? relative : `./${relative}`}'\n`
}

test.each([
  [
    'service-meets-service-through-its-contract',
    'services/a/src/service.ts',
    'services/b/src/b-store.ts',
  ],
  ['portal-sees-contracts-only', 'apps/portal/src/parts/api/api.ts', 'services/b/src/b-rules.ts'],
  [
    'a-part-of-the-portal-imports-no-section-and-no-app',
    'apps/portal/src/parts/a/a.ts',
    'apps/portal/src/app/shell/Shell.tsx',
  ],
  [
    'the-app-knows-a-section-by-its-section-file',
    'apps/portal/src/app/shell/Shell.tsx',
    'apps/portal/src/sections/b/B.ts',
  ],
  [
    'a-section-does-not-import-another',
    'apps/portal/src/sections/a/A.ts',
    'apps/portal/src/sections/b/B.ts',
  ],
  ['packages-import-no-product-code', 'packages/a/src/a.ts', 'services/b/src/contract.ts'],
  ['the-agent-runs-without-the-platform', 'apps/edge/src/agent.ts', 'packages/kit/src/serve.ts'],
  ['a-contract-imports-only-contracts', 'services/a/src/contract.ts', 'services/a/src/a-store.ts'],
  ['rules-are-pure', 'services/a/src/a-rules.ts', 'services/a/src/a-store.ts'],
])('%s refuses an import that breaks it', async (rule, from, to) => {
  expect(await rulesOf({ [from]: imports(from, to), [to]: '' })).toContain(rule)
})

test('no-cycles refuses two files that import each other', async () => {
  const a = 'packages/a/src/a.ts'
  const b = 'packages/a/src/b.ts'
  expect(await rulesOf({ [a]: imports(a, b), [b]: imports(b, a) })).toEqual(['no-cycles'])
})

const twoParts = {
  'services/a/src/people/user-store.ts': "import '../groups/group-rules.ts'\n",
  'services/a/src/people/user-rules.ts': '',
  'services/a/src/groups/group-store.ts': "import '../people/user-rules.ts'\n",
  'services/a/src/groups/group-rules.ts': '',
}

test('parts of a service that need each other are refused, though no file is in a circle', async () => {
  expect(await rulesOf(twoParts)).toEqual(['parts-form-no-cycle'])
  const [fault] = await faultsOf(twoParts)
  expect(fault?.text).toContain('groups → people')
})

test('parts of the portal whose folders need each other are refused', async () => {
  const [a, b] = ['apps/portal/src/parts/a/', 'apps/portal/src/parts/b/']
  const files = {
    [`${a}one.ts`]: imports(`${a}one.ts`, `${b}one.ts`),
    [`${a}other.ts`]: '',
    [`${b}one.ts`]: '',
    [`${b}other.ts`]: imports(`${b}other.ts`, `${a}other.ts`),
  }
  expect(await rulesOf(files)).toEqual(['parts-form-no-cycle'])
})

test('a known circle of parts passes, and is refused once it is gone', async () => {
  const exceptions = { ...known, parts: ['services/a/groups → people'] }
  expect(await rulesOf(twoParts, exceptions)).toEqual([])
  const mended = { ...twoParts, 'services/a/src/groups/group-store.ts': '' }
  expect(await rulesOf(mended, exceptions)).toEqual(['exceptions-only-shrink'])
})

test('a part that imports another one without naming it in its part.ts is refused', async () => {
  const [part, store] = ['services/a/src/people/part.ts', 'services/a/src/people/user-store.ts']
  const [used, rules] = ['services/a/src/groups/part.ts', 'services/a/src/groups/group-rules.ts']
  const files = { [part]: '', [store]: imports(store, rules), [used]: '', [rules]: '' }
  expect(await faultsOf(files)).toEqual([
    { rule: 'a-part-names-the-parts-it-uses', text: `${store} → groups` },
  ])
  expect(await rulesOf({ ...files, [part]: imports(part, used) })).toEqual([])
  const { [used]: _, ...without } = files
  expect(await rulesOf(without)).toContain('a-folder-of-a-service-is-a-part')
})

test('services that know the contracts of each other are refused', async () => {
  const [a, b] = ['services/a/src/contract.ts', 'services/b/src/contract.ts']
  const files = {
    [a]: '',
    [b]: '',
    'services/a/src/service.ts': imports('services/a/src/service.ts', b),
    'services/b/src/service.ts': imports('services/b/src/service.ts', a),
  }
  expect(await rulesOf(files)).toEqual(['services-form-no-cycle'])
  const [fault] = await faultsOf(files)
  expect(fault?.text).toContain('a → b')
})

test('an exported name that no other file imports is refused', async () => {
  const files = {
    'packages/a/src/a.ts': 'export const used = 1\nexport const left = 2\nexport type Left = 3\n',
    'packages/a/src/b.ts': "import { used as other } from './a.ts'\nglobalThis.x = other\n",
  }
  expect(await faultsOf(files)).toEqual([
    { rule: 'exports-are-used', text: 'packages/a/src/a.ts: left' },
    { rule: 'exports-are-used', text: 'packages/a/src/a.ts: Left' },
  ])
})

test('an interface that another file adds to is used', async () => {
  const files = {
    'packages/a/src/a.ts': 'export interface Ids { a: true }\nexport interface Left { b: true }\n',
    'packages/a/src/more.ts':
      "import './a.ts'\ndeclare module './a.ts' { interface Ids { c: true } }\n",
  }
  expect(await faultsOf(files)).toEqual([
    { rule: 'exports-are-used', text: 'packages/a/src/a.ts: Left' },
  ])
})

test('files that are imported by a pattern are used, of a glob with a name only that name', async () => {
  const files = {
    'packages/a/src/one/found.ts': 'export const found = 1\nexport const left = 2\n',
    'packages/a/src/late-b.ts': 'export const b = 1\n',
    'packages/a/src/all.ts': [
      "globalThis.x = import.meta.glob<number>('./*/found.ts', { eager: true, import: 'found' })",
      'globalThis.y = (name: string) => import(`./late-${name}.ts`)',
    ].join('\n'),
  }
  expect(await faultsOf(files)).toEqual([
    { rule: 'exports-are-used', text: 'packages/a/src/one/found.ts: left' },
  ])
})

test('an import by the name of the package is followed to its file', async () => {
  const manifest = JSON.stringify({
    name: '@longreach/b',
    exports: { './store': './src/store.ts' },
  })
  const files = {
    'services/b/package.json': manifest,
    'services/b/src/store.ts': '',
    'services/a/src/service.ts': "import '@longreach/b/store'\n",
  }
  expect(await rulesOf(files)).toEqual(['service-meets-service-through-its-contract'])
})

test('a function is defined once in a package under its name', async () => {
  const files = {
    'packages/a/src/a.ts': 'const toName = () => 1\nglobalThis.x = toName\n',
    'packages/a/src/b.ts': 'function toName() {}\nglobalThis.y = toName\n',
    'packages/a/src/b.test.ts': 'function toName() {}\nfunction other() {}\n',
    'packages/b/src/a.ts':
      'const toName = () => 1\nconst other = 2\nglobalThis.x = [toName, other]\n',
    'apps/a/src/a.ts': 'function main() {}\nmain()\n',
    'apps/a/src/b.ts': 'function main() {}\nmain()\n',
  }
  const [fault, ...more] = await faultsOf(files)
  expect(more).toEqual([])
  expect(fault?.rule).toBe('one-name-has-one-definition')
  expect(fault?.text).toContain('toName: packages/a/src/a.ts, packages/a/src/b.ts')
  expect(await faultsOf(files, { ...known, names: { 'packages/a': 1 } })).toEqual([])
})

test('an allowed number of repeated names only falls', async () => {
  const exceptions = { ...known, names: { 'packages/a': 1 } }
  expect(await faultsOf({ 'packages/a/src/a.ts': 'function a() {}\na()\n' }, exceptions)).toEqual([
    { rule: 'one-name-has-one-definition', text: expect.stringContaining('from 1 to 0') },
  ])
})

test('what the rules allow passes', async () => {
  const from = 'services/a/src/service.ts'
  const to = 'services/b/src/contract.ts'
  expect(await rulesOf({ [from]: imports(from, to), [to]: '' })).toEqual([])
})
