import { isSafeSvgValue, svgProperties } from '@longreach/board/svg-allowed'

type Lost = (kind: 'property' | 'rule', name: string) => void

/** Declarations of a style that are allowed, written anew. */
export function safeDeclarations(text: string, lost: Lost) {
  return withoutComments(text)
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== '')
    .flatMap((declaration) => {
      const at = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(at, 0)).trim().toLowerCase()
      const value = declaration.slice(at + 1).trim()
      if (svgProperties.has(property) && isSafeSvgValue(value)) return [`${property}:${value}`]
      lost('property', property || declaration)
      return []
    })
    .join(';')
}

/** Selector of types, classes, ids and their combinations. */
const selector = /^[\w.#*,>+~\s-]+$/

/** Rules of a style sheet that are allowed, written anew; rules with `@` are left out. */
export function safeStyleSheet(text: string, lost: Lost) {
  const rules: string[] = []
  const plain = withoutComments(text)
  for (let at = 0; at < plain.length;) {
    const open = plain.indexOf('{', at)
    if (open === -1) break
    const head = plain.slice(at, open).trim()
    const close = endOfBlock(plain, open)
    at = close + 1
    const declarations = selector.test(head)
      ? safeDeclarations(plain.slice(open + 1, close), lost)
      : ''
    if (declarations !== '') rules.push(`${head}{${declarations}}`)
    else if (!selector.test(head)) lost('rule', head)
  }
  return rules.join('')
}

/** Place of the brace that closes a block, or the end of the text. */
function endOfBlock(text: string, open: number) {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?(\*\/|$)/g, ' ')
