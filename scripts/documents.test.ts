import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callsNamed, namesIn, textsOf, topicsIn, topicsNamed } from './document-names.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const places = /(?:\(|`)((?:apps|services|packages|docs|e2e|bench|scripts)\/[\w./-]*[\w/])(?:\)|`)/g
const documents = ['*.md', 'docs/**/*.md', '{apps,services,packages}/*/README.md', 'bench/*.md']
const sources = ['{packages,services,apps,e2e,bench,scripts}/**/*.{ts,tsx,mjs}']

test('every path that a document names is there', async () => {
  const missing: string[] = []
  for (const [file, text] of await textsOf(root, documents)) {
    for (const [, place = ''] of text.matchAll(places)) {
      if (!existsSync(path.join(root, place))) missing.push(`${file}: ${place}`)
    }
  }
  expect(missing).toEqual([])
})

test('every decision has its number once', async () => {
  const numbers: string[] = []
  for await (const file of glob('docs/decisions/*.md', { cwd: root })) {
    numbers.push(path.basename(file).slice(0, 3))
  }
  expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted())
})

test('every event that a document names is declared, and the architecture names them all', async () => {
  const code = await textsOf(root, ['{packages,services}/*/src/**/*.ts'])
  const declared = topicsIn([...code].flatMap(([file, text]) => (isTest(file) ? [] : [text])))
  const missing: string[] = []
  for (const [file, text] of await textsOf(root, documents)) {
    const [, service] = /^services\/(\w+)\/README\.md$/.exec(file) ?? []
    for (const topic of topicsNamed(text, service)) {
      if (!declared.has(topic)) missing.push(`${file}: ${topic}`)
    }
  }
  expect(missing).toEqual([])
  const architecture = await textsOf(root, ['docs/ARCHITECTURE.md'])
  const named = new Set([...architecture.values()].flatMap((text) => topicsNamed(text)))
  expect([...declared].filter((topic) => !named.has(topic))).toEqual([])
})

test('every function and name that a document gives in backticks is in the code', async () => {
  const code = await textsOf(root, sources)
  const missing: string[] = []
  for (const [file, text] of await textsOf(root, documents)) {
    if (file.startsWith(path.join('docs', 'guide'))) continue
    const [, folder] = /^((?:packages|services)\/[\w-]+)\/README\.md$/.exec(file) ?? []
    const names = [...callsNamed(text), ...(folder ? namesIn(text) : [])]
    for (const name of new Set(names)) {
      if (!isInCode(code, name, folder ?? '')) missing.push(`${file}: ${name}`)
    }
  }
  expect(missing).toEqual([])
})

const isTest = (file: string) => file.endsWith('.test.ts')

const kit = path.join('packages', 'kit')

/** True when a name occurs in the code of a folder or in the kit, which all others use. */
const isInCode = (code: ReadonlyMap<string, string>, name: string, folder: string) =>
  [...code].some(
    ([file, text]) =>
      (file.startsWith(folder) || file.startsWith(kit)) && new RegExp(`\\b${name}\\b`).test(text),
  )

test('names of events, functions and fields are found in a document', () => {
  const table =
    '# A\n\n| Event | For |\n| --- | --- |\n| `core.one_two`, `.three_four` | `core.other_cell` |\n'
  expect(topicsNamed(table)).toEqual(['core.one_two', 'core.three_four'])
  expect(
    topicsNamed('Events: `device_made`, `core.gone`.\n\nNo event: `x_y`.', 'mappings'),
  ).toEqual(['mappings.device_made', 'core.gone'])
  expect(callsNamed('`read(text)` and `some words (no call)`\n```ts\n`no()`\n```\n')).toEqual([
    'read',
  ])
  expect(namesIn('`pathReach`, `store`, `Batch`')).toEqual(['pathReach'])
})
