import { parseFormula } from '@longreach/formula/parse'
import { type LineLook, lookTexts, parseLook } from './explore-look.ts'

/** A line that is computed from others, as it stands in the address. */
export type FormulaLine = LineLook & {
  /** An expression over the letters of the lines: `a - b`. */
  text: string
  name: string
  unit: string
}
/** More are no comparison any more. */
export const mostFormulas = 8

/** Formulas from the address: `<text>;n<name>;u<unit>;right;c3`, the words in the address's own escapes. */
export function parseFormulas(texts: readonly string[]): FormulaLine[] {
  const all = texts.flatMap((whole, index) => {
    const [first = '', ...options] = whole.split(';')
    const text = plainText(first)
    if (text === undefined || text.trim() === '') return []
    const word = (mark: string) =>
      plainText(options.find((option) => option.startsWith(mark))?.slice(2) ?? '') ?? ''
    return [{ text, name: word('n='), unit: word('u='), ...parseLook(options, index + 4) }]
  })
  const known = all.map(({ text }) => text)
  return all.filter(({ text }, index) => known.indexOf(text) === index).slice(0, mostFormulas)
}

/** The address's text of a formula; the inverse of `parseFormulas`. */
export const formulaLineText = (formula: FormulaLine) =>
  [
    encodeURIComponent(formula.text),
    ...(formula.name === '' ? [] : [`n=${encodeURIComponent(formula.name)}`]),
    ...(formula.unit === '' ? [] : [`u=${encodeURIComponent(formula.unit)}`]),
    ...lookTexts(formula),
  ].join(';')

export const formulaKey = ({ text }: Pick<FormulaLine, 'text'>) => `=${text}`

function plainText(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // half an escape: somebody cut the address
  }
}

/** The letters that a formula reads; none of one that cannot be read. */
export function lettersOf(text: string): readonly string[] {
  const parsed = parseFormula(text)
  return parsed.ok ? parsed.formula.variables : []
}
