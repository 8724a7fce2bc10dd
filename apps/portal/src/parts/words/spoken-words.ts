/** Files of words that are loaded, at first those that every page needs. */
const loadedWords = new Set(['shell', 'ui', 'door'])
let show: ((parts: readonly string[]) => Promise<void>) | undefined

/** Files of words that were asked for so far. */
export const loadedWordFiles = (): ReadonlySet<string> => loadedWords

/** Loads further files of words, so that a page's words are there before the page. */
export async function needWords(...parts: readonly string[]) {
  const missing = parts.filter((part) => !loadedWords.has(part))
  for (const part of missing) loadedWords.add(part)
  if (missing.length > 0) await show?.(missing)
}

/** A file that comes later, with the words that it shows. */
export async function withWords<File>(file: Promise<File>, ...parts: readonly string[]) {
  const [come] = await Promise.all([file, needWords(...parts)])
  return come
}

/** Registers the one listener that loads further files of words; returns its removal. */
export function onWordsNeeded(listener: (parts: readonly string[]) => Promise<void>) {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}
