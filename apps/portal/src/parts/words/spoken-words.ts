/** What is shown before any page: the files of words that everybody loads at once. */
const spoken = new Set(['shell', 'ui', 'door'])
let show: ((parts: readonly string[]) => Promise<void>) | undefined

/** The files of words asked for so far. */
export const spokenParts = (): ReadonlySet<string> => spoken

/** Bring further files of words, if they are not there yet. A page's words come before the page. */
export async function needWords(...parts: readonly string[]) {
  const missing = parts.filter((part) => !spoken.has(part))
  for (const part of missing) spoken.add(part)
  if (missing.length > 0) await show?.(missing)
}

/** Whoever shows words is told of the files that are needed beside; one at a time. */
export function onWordsNeeded(listener: (parts: readonly string[]) => Promise<void>) {
  show = listener
  return () => {
    if (show === listener) show = undefined
  }
}
