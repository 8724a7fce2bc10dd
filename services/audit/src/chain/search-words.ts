const most = 300
const longest = 64

/** Lower-case words of the texts and numbers in values, sorted, each once. */
export function wordsIn(...values: readonly unknown[]): string[] {
  const found = new Set<string>()
  for (const value of values) gather(value, found)
  return [...found].toSorted()
}

function gather(value: unknown, found: Set<string>) {
  if (found.size >= most) return
  if (typeof value === 'string' || typeof value === 'number') {
    for (const word of split(String(value))) if (found.size < most) found.add(word)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) gather(inner, found)
  }
}

const split = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, longest).join(''))

/** Text search for entries with words that have all these beginnings; undefined when the text has no word. */
export function searchOf(text: string): string | undefined {
  const terms = [...new Set(split(text))].slice(0, 20)
  // Words have only letters and digits, so they need no quoting.
  return terms.length === 0 ? undefined : terms.map((word) => `'${word}':*`).join(' & ')
}
