import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { faultsInCode, faultsInDocument, faultsInTexts, listFaults } from './wording-rules.ts'
import { unrepaired } from './wording-unrepaired.ts'

const root = path.resolve(import.meta.dirname, '..')
const sources = '{packages,services,apps,e2e,bench,scripts}/**/*.{ts,tsx,mjs}'
const documents = '{*.md,docs/**/*.md,{packages,services,apps}/*/README.md,bench/*.md}'
/** Texts that people read: files of words, and the pages and mails of identity. */
const texts = '{packages,apps}/**/locales/**/*.json'
const sourceOfTexts = /^services\/identity\/.*words\.ts$/

/** The rules and their tests have to name the words that they refuse. */
const exempt = /(^|\/)(node_modules|dist)(\/|$)|^scripts\/wording/

const areaOf = (file: string) =>
  Object.keys(unrepaired).find((area) => file === area || file.startsWith(`${area}/`)) ?? file

type Found = { count: number; lines: string[] }

function faultsIn(file: string, text: string) {
  if (file.endsWith('.md')) return faultsInDocument(text)
  if (file.endsWith('.json')) return faultsInTexts(text)
  const faults = faultsInCode(text)
  return sourceOfTexts.test(file) ? [...faults, ...faultsInTexts(text)] : faults
}

/** Faults of all sources and documents, by file or by area of the list. */
async function faultsByArea() {
  const found = new Map<string, Found>()
  const exclude = (name: string) => name === 'node_modules' || name === 'dist'
  for await (const file of glob([sources, documents, texts], { cwd: root, exclude })) {
    if (exempt.test(file)) continue
    const text = readFileSync(path.join(root, file), 'utf8')
    const faults = faultsIn(file, text)
    if (faults.length === 0) continue
    const { count, lines } = found.get(areaOf(file)) ?? { count: 0, lines: [] }
    const more = faults.map((fault) => `  ${file}:${fault.line}: ${fault.text}`)
    found.set(areaOf(file), { count: count + faults.length, lines: [...lines, ...more] })
  }
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await faultsByArea()
  const counts = new Map([...found].map(([area, { count }]) => [area, count]))
  const faults = listFaults(counts, unrepaired)
  for (const { area, text, isHigher } of faults) {
    process.stdout.write(`${area}: ${text}\n`)
    if (isHigher) process.stdout.write(`${found.get(area)?.lines.join('\n')}\n`)
  }
  process.exitCode = faults.length > 0 ? 1 : 0
}
