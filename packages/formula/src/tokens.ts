import type { Fault, IssueCode } from './issue.ts'
import { limits } from './limits.ts'

type TokenKind = 'number' | 'text' | 'path' | 'word' | 'operator' | 'end'
/** Token; `value` is the meaning: without quotes, with escapes resolved. */
export type Token = { kind: TokenKind; from: number; to: number; value: string }

const operators = ['<=', '>=', '==', '!=', '&&', '||', ...'+-*/%^<>!?:(),']
const blank = /\s/
const letter = /[A-Za-z_]/
const wordPart = /\w/

/** Syntax error inside this package; `parseFormula` catches it. */
export class FormulaFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.code)
    this.fault = fault
  }
}

/** Throws a fault for the text from `from` to `to`. */
export function refuse(
  code: IssueCode,
  { from, to }: { from: number; to: number },
  values: Fault['values'] = {},
): never {
  throw new FormulaFault({ code, from, to, values })
}

/** Tokens of a text; throws a fault at the first invalid character. */
export function tokensOf(text: string): Token[] {
  if (text.length > limits.length) {
    refuse('too_long', { from: limits.length, to: text.length }, { most: limits.length })
  }
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const token = blank.test(text[at] ?? '') ? undefined : tokenAt(text, at)
    at = token?.to ?? at + 1
    if (token) tokens.push(token)
  }
  tokens.push({ kind: 'end', from: text.length, to: text.length, value: '' })
  return tokens
}

function tokenAt(text: string, from: number): Token {
  const character = text[from] ?? ''
  if (character === "'" || character === '"') return quoted(text, from, character)
  if (/[\d.]/.test(character)) return numberAt(text, from)
  if (letter.test(character)) return wordAt(text, from)
  const operator = operators.find((one) => text.startsWith(one, from))
  if (operator === undefined) {
    return refuse('unexpected_character', { from, to: from + 1 }, { found: character })
  }
  return { kind: 'operator', from, to: from + operator.length, value: operator }
}

/** Token of 'text' or "path"; a backslash takes the next character literally. */
function quoted(text: string, from: number, quote: string): Token {
  let value = ''
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === quote) {
      return { kind: quote === '"' ? 'path' : 'text', from, to: at + 1, value }
    }
    if (character === '\\') at += 1
    value += text[at] ?? ''
  }
  return refuse(quote === '"' ? 'unclosed_path' : 'unclosed_text', { from, to: text.length })
}

function numberAt(text: string, from: number): Token {
  let to = from
  while (/[\w.]/.test(text[to] ?? '') || isExponentSign(text, from, to)) to += 1
  const value = text.slice(from, to)
  const good = /^(?:0x[\da-f]{1,13}|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)$/i.test(value)
  if (!good || !Number.isFinite(Number(value))) refuse('bad_number', { from, to }, { found: value })
  return { kind: 'number', from, to, value }
}

const isExponentSign = (text: string, from: number, at: number) =>
  /[+-]/.test(text[at] ?? '') && /^[\d.]+e$/i.test(text.slice(from, at))

/**
 * Token of a word or path: `/` directly between two names belongs to the path, `[0]` is an index.
 */
function wordAt(text: string, from: number): Token {
  let to = nameEnd(text, from)
  let isPath = false
  for (;;) {
    const index = /^\[(?:\d{1,9}|\$\{\d{1,3}\})\]/.exec(text.slice(to, to + 20))
    if (index) to += index[0].length
    else if (text[to] === '[') refuse('bad_index', { from: to, to: to + 1 })
    else if (text[to] === '/' && letter.test(text[to + 1] ?? '')) to = nameEnd(text, to + 1)
    else break
    isPath = true
  }
  return { kind: isPath ? 'path' : 'word', from, to, value: text.slice(from, to) }
}

function nameEnd(text: string, from: number) {
  let to = from
  while (wordPart.test(text[to] ?? '')) to += 1
  return to
}
