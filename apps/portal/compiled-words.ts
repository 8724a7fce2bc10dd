import { parse } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import { wordsIn } from './src/parts/words/word-places.ts'

const parser = '@formatjs/icu-messageformat-parser'

/**
 * Parses the built-in words at build time and leaves the parser out of what the formatter loads.
 * Only words from a host need it at run time; they load it themselves.
 */
export function compiledWords(): Plugin {
  return {
    name: 'compiled-words',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      const byFormatter = source === parser && importer?.includes('/node_modules/') === true
      return byFormatter
        ? this.resolve(`${parser}/no-parser.js`, importer, { skipSelf: true })
        : undefined
    },
    transform(code, id) {
      if (wordsIn(id) === undefined) return undefined
      const words = JSON.parse(code) as Record<string, string>
      const compiled = Object.entries(words).map(([key, text]) => [
        key,
        parse(text, { captureLocation: false }),
      ])
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null }
    },
  }
}
