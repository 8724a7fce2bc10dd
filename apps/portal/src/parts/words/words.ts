/// <reference types="vite/client" />
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { arrive } from '../api/arrive.ts'
import type { Language } from './locale-rules.ts'

/** Messages by id, as texts or already parsed; an id is `section.key`. */
export type Words = Record<string, string | MessageFormatElement[]>

// Alone those that stand before any page, so that the door need not know where all others are.
const first = import.meta.glob<{ default: Words }>('../../../locales/*/{shell,ui,door}.json')

/** The built-in words of a language: those of the files named, or all. */
export async function bundledWords(language: Language, parts?: Iterable<string>): Promise<Words> {
  const names = parts && new Set(parts)
  const place = (part: string) => `../../../locales/${language}/${part}.json`
  const isFirst = names && [...names].every((part) => place(part) in first)
  const files = isFirst ? first : (await arrive(() => import('./word-files.ts'))).wordFiles
  const wanted = Object.entries(files).filter(
    ([path]) => path.includes(`/locales/${language}/`) && (names?.has(sectionOf(path)) ?? true),
  )
  const read = await Promise.all(
    wanted.map(async ([path, load]) => prefixed(sectionOf(path), (await arrive(load)).default)),
  )
  return Object.assign({}, ...read) as Words // each part is one
}

/** The section that a file of words is for. */
export const sectionOf = (path: string) => /([\w-]+)\.json$/.exec(path)?.[1] ?? ''

/** Words by their message ids. */
export const prefixed = (section: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([key, text]) => [`${section}.${key}`, text]))
