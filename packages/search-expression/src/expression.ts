import { type Cursor, createTokenCursor, WrongHere } from './expression-tokens.ts'

/**
 * The search language of lists: `not and or in > >= < <= == != ~= !~=`, parentheses, texts in double
 * quotes, dotted fields, `.keyword` for the exact text. Parsing only; fields are judged elsewhere.
 */
export type Literal = string | number | boolean | null
export type Comparison = '==' | '!=' | '>' | '>=' | '<' | '<=' | '~=' | '!~='
export type Expression =
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not'; operand: Expression }
  | { kind: 'compare'; operator: Comparison; field: string; value: Literal; at: number }
  | { kind: 'in'; field: string; values: Literal[]; at: number }

type ParsedExpression =
  | { ok: true; expression: Expression }
  | { ok: false; message: string; at: number }

/** Read an expression; `at` of a mistake is the place in the text, counted from 0. */
export function parseExpression(source: string): ParsedExpression {
  try {
    return { ok: true, expression: whole(createTokenCursor(source)) }
  } catch (error) {
    if (error instanceof WrongHere) return { ok: false, message: error.message, at: error.at }
    throw error
  }
}

const deepest = 100
const comparisons: readonly string[] = ['==', '!=', '>', '>=', '<', '<=', '~=', '!~=']
const constants = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function whole(cursor: Cursor): Expression {
  const expression = anyOf(cursor, 0)
  const { kind, text, at } = cursor.peek()
  if (kind !== 'end') throw new WrongHere(`unexpected ${text}`, at)
  return expression
}

type Rule = (cursor: Cursor, depth: number) => Expression

const chain =
  (word: 'and' | 'or', operand: Rule): Rule =>
  (cursor, depth) => {
    let left = operand(cursor, depth)
    while (cursor.isWord(word)) {
      cursor.take()
      left = { kind: word, left, right: operand(cursor, depth) }
    }
    return left
  }
const allOf = chain('and', single)
const anyOf = chain('or', allOf)

function single(cursor: Cursor, depth: number): Expression {
  if (depth > deepest) throw new WrongHere(`nested deeper than ${deepest}`, cursor.peek().at)
  if (cursor.isWord('not')) {
    cursor.take()
    return { kind: 'not', operand: single(cursor, depth + 1) }
  }
  if (!cursor.isSign('(')) return condition(cursor)
  cursor.take()
  const inner = anyOf(cursor, depth + 1)
  cursor.expect(')')
  return inner
}

function condition(cursor: Cursor): Expression {
  const { kind, text: field, at } = cursor.take()
  if (kind !== 'word') throw new WrongHere(`expected a field, found ${field}`, at)
  if (cursor.isWord('in')) {
    cursor.take()
    return { kind: 'in', field, values: values(cursor), at }
  }
  const operator = cursor.take()
  if (operator.kind !== 'sign' || !comparisons.includes(operator.text)) {
    throw new WrongHere(`expected a comparison, found ${operator.text}`, operator.at)
  }
  const value = literal(cursor)
  return { kind: 'compare', operator: operator.text as Comparison, field, value, at } // it is in `comparisons`
}

function values(cursor: Cursor): Literal[] {
  const closing = cursor.expect('([') === '(' ? ')' : ']'
  const found = [literal(cursor)]
  while (cursor.isSign(',')) {
    cursor.take()
    found.push(literal(cursor))
  }
  cursor.expect(closing)
  return found
}

function literal(cursor: Cursor): Literal {
  const { kind, text, at } = cursor.take()
  if (kind === 'text') return text
  if (kind === 'number') return Number(text)
  const constant = kind === 'word' ? constants.get(text.toLowerCase()) : undefined
  if (constant !== undefined) return constant
  throw new WrongHere(`expected a value, found ${text}`, at)
}
