import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
type Config = { default: { forbidden: never[]; options: object } }
let config: Config['default']
let folder: string

beforeAll(async () => {
  const file = pathToFileURL(path.join(root, '.dependency-cruiser.mjs')).href
  config = ((await import(file)) as Config).default
  await mkdir(path.join(root, '.vitest'), { recursive: true })
  folder = await mkdtemp(path.join(root, '.vitest/boundaries-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Lay files out in a tree of their own and name the rules that object to it. */
async function objections(files: Record<string, string>) {
  const place = await mkdtemp(path.join(folder, 'tree-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(place, name)), { recursive: true })
    await writeFile(path.join(place, name), text)
  }
  const { output } = await cruise(Object.keys(files), {
    ...config.options,
    baseDir: place,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  })
  const { summary } = output as ICruiseResult
  return [...new Set(summary.violations.map(({ rule }) => rule.name))]
}

const imports = (from: string, to: string) => {
  const relative = path.relative(path.dirname(from), to)
  return `import '${relative.startsWith('.') ? relative : `./${relative}`}'\n`
}

test.each([
  [
    'service-meets-service-through-its-contract',
    'services/a/src/service.ts',
    'services/b/src/b-store.ts',
  ],
  ['portal-sees-contracts-only', 'apps/portal/src/lib/api.ts', 'services/b/src/b-rules.ts'],
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
  expect(await objections({ [from]: imports(from, to), [to]: '' })).toContain(rule)
})

test('no-cycles refuses two files that import each other', async () => {
  const a = 'packages/a/src/a.ts'
  const b = 'packages/a/src/b.ts'
  expect(await objections({ [a]: imports(a, b), [b]: imports(b, a) })).toEqual(['no-cycles'])
})

test('what the rules allow passes', async () => {
  const from = 'services/a/src/service.ts'
  const to = 'services/b/src/contract.ts'
  expect(await objections({ [from]: imports(from, to), [to]: '' })).toEqual([])
})
