import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const places = /(?:\(|`)((?:apps|services|packages|docs|e2e|bench|scripts)\/[\w./-]*[\w/])(?:\)|`)/g

test('every path that a document names is there', async () => {
  const missing: string[] = []
  const documents = ['*.md', 'docs/**/*.md', '{apps,services,packages}/*/README.md', 'bench/*.md']
  for await (const file of glob(documents, { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8')
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
