/** Part of a text: words as they are, or a placeholder; `digits` are decimals of a number. */
export type TextPart =
  | { kind: 'words'; text: string }
  | { kind: 'device' }
  | { kind: 'value' | 'limit'; digits?: number }
  | { kind: 'path'; path: string; digits?: number }
  | { kind: 'unclosed'; text: string }

/**
 * Parts of a text with placeholders `{device}`, `{value}`, `{limit}` and `{Oven:1/speed|1}`; two
 * braces are one brace.
 */
export function parseText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let words = ''
  let at = 0
  const push = (part: TextPart) => {
    if (words !== '') parts.push({ kind: 'words', text: words })
    words = ''
    parts.push(part)
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character !== '{') {
      words += character
      at += character === '}' && text[at + 1] === '}' ? 2 : 1
    } else if (text[at + 1] === '{') {
      words += character
      at += 2
    } else {
      const end = text.indexOf('}', at)
      push(
        end === -1
          ? { kind: 'unclosed', text: text.slice(at) }
          : placeholder(text.slice(at + 1, end)),
      )
      at = end === -1 ? text.length : end + 1
    }
  }
  if (words !== '') parts.push({ kind: 'words', text: words })
  return parts
}

function placeholder(inside: string): TextPart {
  const bar = inside.lastIndexOf('|')
  const [digits] = bar === -1 ? [] : (/^\d$/.exec(inside.slice(bar + 1).trim()) ?? [])
  const name = (digits === undefined ? inside : inside.slice(0, bar)).trim()
  if (name === 'device') return { kind: 'device' }
  const shown = digits === undefined ? {} : { digits: Number(digits) }
  return name === 'value' || name === 'limit'
    ? { kind: name, ...shown }
    : { kind: 'path', path: name, ...shown }
}

/** Paths that texts name, each once. */
export const pathsInTexts = (texts: Iterable<string | undefined>): string[] => [
  ...new Set(
    [...texts].flatMap((text = '') =>
      parseText(text).flatMap((part) => (part.kind === 'path' ? [part.path] : [])),
    ),
  ),
]
