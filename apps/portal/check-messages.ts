import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { faultsOfLanguage, textsById, unusedIds, untypedCalls } from './message-rules.ts'
import { languages } from './src/parts/words/locale-rules.ts'
import { wordsIn } from './src/parts/words/word-places.ts'

const root = join(import.meta.dirname, '../..')
const folders = ['apps/portal/src', 'packages/ui/src']

const files = globSync(['apps/portal/src/**/locales/**/*.json', 'packages/ui/locales/**/*.json'], {
  cwd: root,
}).flatMap((path) => {
  const place = wordsIn(path)
  const text = readFileSync(join(root, path), 'utf8')
  return place ? [{ ...place, texts: JSON.parse(text) as Record<string, string> }] : []
})

const sources = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

const faults = [
  ...languages.flatMap((language) => faultsOfLanguage(files, language)),
  ...unusedIds(
    textsById(files, 'en').keys(),
    sources.map(({ text }) => text),
  ).map((id) => `${id}: nothing uses this message; remove it in all languages`),
  ...sources
    .filter(({ file, text }) => untypedCalls(text) > 0 && !file.endsWith('/use-words.ts'))
    .map(({ file }) => `${relative(root, join(root, file))}: use useWords, which checks ids`),
]
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
