import { expandLocale, type Language } from '../../parts/words/locale-rules.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { wordFiles } from '../../parts/words/word-files.ts'
import { wordsIn } from '../../parts/words/word-places.ts'
import { prefixed, type Words } from '../../parts/words/words.ts'

const timeoutMs = 3_000

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
  const found = await Promise.all(
    [...new Set(Object.keys(wordFiles).map((path) => wordsIn(path)?.name ?? ''))].map(
      async (section) => {
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
      },
    ),
  )
  return Object.assign({}, ...found) as Words // each part is one
}

async function fetchWords(url: string): Promise<Record<string, unknown>> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    const body: unknown = answer.ok ? await answer.json() : {}
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch (cause) {
    reportProblem(`No words from ${url}`, cause)
    return {}
  }
}
