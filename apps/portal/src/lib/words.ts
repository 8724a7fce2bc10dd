/// <reference types="vite/client" />
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import type { Language } from './locale-rules.ts'
import { expandLocale } from './locale-rules.ts'
import { reportProblem } from './problems.ts'

/** Messages by id, as texts or already parsed; an id is `section.key`. */
export type Words = Record<string, string | MessageFormatElement[]>

const files = import.meta.glob<Words>('../../locales/*/*.json', { import: 'default' })
const patience = 3_000

/** The built-in words of a language: those of the files named, or all. */
export async function bundledWords(language: Language, parts?: Iterable<string>): Promise<Words> {
  const names = parts && new Set(parts)
  const wanted = Object.entries(files).filter(
    ([path]) => path.includes(`/locales/${language}/`) && (names?.has(sectionOf(path)) ?? true),
  )
  const read = await Promise.all(
    wanted.map(async ([path, load]) => prefixed(sectionOf(path), await load())),
  )
  return Object.assign({}, ...read) as Words // each part is one
}

/**
 * The words that a host of the operator's adds or replaces, checked as ICU messages.
 * Each section has 3 s; what does not come, or does not parse, leaves the built-in words.
 */
export async function hostedWords(host: string, language: Language): Promise<Words> {
  const { parse } = await import('@formatjs/icu-messageformat-parser')
  const parsed = (message: unknown) => {
    try {
      return typeof message === 'string' ? parse(message) : []
    } catch {
      return [] // what the built-in word is for
    }
  }
  const sections = new Set(Object.keys(files).map(sectionOf))
  const found = await Promise.all(
    [...sections].map(async (section) => {
      const url = `${host}/${expandLocale(language)}/${section}.json`
      const words = await fetchWords(url)
      return prefixed(
        section,
        Object.fromEntries(
          Object.entries(words)
            .map(([key, text]) => [key, parsed(text)] as const)
            .filter(([, elements]) => elements.length > 0),
        ),
      )
    }),
  )
  return Object.assign({}, ...found) as Words // each part is one
}

async function fetchWords(url: string): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patience) })
    const body: unknown = answer.ok ? await answer.json() : {}
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch (cause) {
    reportProblem(`No words from ${url}`, cause)
    return {}
  }
}

const sectionOf = (path: string) => /([\w-]+)\.json$/.exec(path)?.[1] ?? ''

const prefixed = (section: string, words: Words): Words =>
  Object.fromEntries(Object.entries(words).map(([key, text]) => [`${section}.${key}`, text]))
