/// <reference types="vite/client" />
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { arrive } from '../api/arrive.ts'
import type { Language } from './locale-rules.ts'
import { wordsIn } from './word-places.ts'

/** Messages by id, as texts or already parsed; an id is `name.key`. */
export type Words = Record<string, string | MessageFormatElement[]>

// Only those of the pages before sign-in, so that these pages need not load the list of all files.
const first = import.meta.glob<{ default: Words }>([
  '../../app/shell/locales/*.json',
  '../../app/sign-in/locales/door/*.json',
  '../../../../../packages/ui/locales/*.json',
])
const firstNames = new Set(Object.keys(first).map(nameOf))

/** The built-in words of a language: those of the files named, or all. */
export async function bundledWords(language: Language, parts?: Iterable<string>): Promise<Words> {
  const names = parts && new Set(parts)
  const isFirst = names && [...names].every((part) => firstNames.has(part))
  const files = isFirst ? first : (await arrive(() => import('./word-files.ts'))).wordFiles
  const wanted = Object.entries(files).filter(
    ([path]) => path.endsWith(`/${language}.json`) && (names?.has(nameOf(path)) ?? true),
  )
  const read = await Promise.all(
    wanted.map(async ([path, load]) => prefixed(nameOf(path), (await arrive(load)).default)),
  )
  return Object.assign({}, ...read) as Words // each part is one
}

/** The name that the words of a file have before their keys. */
function nameOf(path: string) {
  return wordsIn(path)?.name ?? ''
}

/** Words by their message ids. */
export const prefixed = (name: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([key, text]) => [`${name}.${key}`, text]))
