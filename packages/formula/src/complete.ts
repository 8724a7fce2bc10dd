import { signatures } from './functions.ts'
import { relativePath, writtenPath } from './paths.ts'

type Completion = {
  label: string
  kind: 'path' | 'function' | 'word'
  /** Text that replaces the range from `from` to `to`. */
  apply: string
  /** Arguments of a function. */
  detail?: string
}
type Completions = { from: number; to: number; options: Completion[] }

const words = ['and', 'or', 'not', 'true', 'false', 'null']
const mostPaths = 500

/**
 * Completions at `offset`: paths, functions and words that begin with or contain the typed text.
 */
export function completionsAt(
  text: string,
  offset: number,
  { paths = [] }: { paths?: Iterable<string> } = {},
): Completions {
  const to = Math.min(Math.max(0, offset), text.length)
  const before = text.slice(0, to)
  if (isInText(before)) return { from: to, to, options: [] }
  const quote = openPath(before)
  const from = quote ?? to - (/[A-Za-z_][\w[\]/]*$/.exec(before)?.[0].length ?? 0)
  const typed = before.slice(quote === undefined ? from : from + 1).toLowerCase()
  const options = pathOptions(paths, typed)
  if (quote === undefined) options.push(...wordOptions(typed))
  const rank = ({ label }: Completion) => (label.toLowerCase().startsWith(typed) ? 0 : 1)
  return { from, to, options: options.toSorted((a, b) => rank(a) - rank(b)) }
}

function wordOptions(typed: string): Completion[] {
  const named = [...signatures]
    .filter(([label]) => label.toLowerCase().includes(typed))
    .map(([label, detail]) => ({ label, kind: 'function' as const, apply: `${label}(`, detail }))
  const spelled = words
    .filter((label) => typed !== '' && label.startsWith(typed))
    .map((label) => ({ label, kind: 'word' as const, apply: label }))
  return [...named, ...spelled]
}

function pathOptions(paths: Iterable<string>, typed: string): Completion[] {
  const options: Completion[] = []
  for (const path of paths) {
    const label = relativePath(path).replaceAll('[*]', '[0]')
    if (!label.toLowerCase().includes(typed)) continue
    options.push({ label, kind: 'path', apply: writtenPath(label) })
    if (options.length >= mostPaths) break
  }
  return options
}

/** Index at which an unclosed "path" begins. */
const openPath = (before: string) => openQuote(before)?.['"']
const isInText = (before: string) => openQuote(before)?.["'"] !== undefined

function openQuote(before: string): Record<string, number | undefined> | undefined {
  let quote: string | undefined
  let from = 0
  for (let at = 0; at < before.length; at += 1) {
    const character = before[at]
    if (quote !== undefined) {
      if (character === '\\') at += 1
      else if (character === quote) quote = undefined
    } else if (character === "'" || character === '"') {
      quote = character
      from = at
    }
  }
  return quote === undefined ? undefined : { [quote]: from }
}
