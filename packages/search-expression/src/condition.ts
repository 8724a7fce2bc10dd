import { type Comparison, type Expression, type Literal, parseExpression } from './expression.ts'
import { WrongHere } from './expression-tokens.ts'
import { expressionPattern, type TextPattern } from './text-pattern.ts'

/** Field that may be searched, by how its values compare. */
export type Field = {
  kind: 'text' | 'number' | 'boolean' | 'time' | 'texts' | 'numbers' | 'json'
}

/** Value that a field is compared with, of the type of the field. */
export type Comparand = string | number | boolean | Date

export type Order = '>' | '>=' | '<' | '<='

/** Meaning of an expression over known fields; a value that is not known makes a condition false. */
export type Condition<F extends Field> =
  | { kind: 'and' | 'or'; operands: Condition<F>[] }
  | { kind: 'not'; operand: Condition<F> }
  | { kind: 'missing'; field: F }
  | { kind: 'equals'; field: F; value: Comparand }
  | { kind: 'ordered'; field: F; order: Order; value: Comparand }
  | { kind: 'matches'; field: F; pattern: TextPattern }

type Fault = { ok: false; message: string; at: number }
type ConditionRead<F extends Field> = { ok: true; condition: Condition<F> } | Fault

/** Field of a name on the wire, without `.keyword`. */
type FieldOf<F extends Field> = (name: string) => F | undefined

/** Read an expression over the fields of a list; `at` of a fault is its place in the text, from 0. */
export function readCondition<F extends Field>(
  source: string,
  fieldOf: FieldOf<F>,
): ConditionRead<F> {
  const parsed = parseExpression(source)
  return parsed.ok ? judged(() => toCondition(parsed.expression, fieldOf)) : parsed
}

/** Condition that a field has a value, or one of its values is this one. */
export const equalCondition = <F extends Field>(field: F, value: Literal): ConditionRead<F> =>
  judged(() => equal(field, value, 0))

function judged<F extends Field>(judge: () => Condition<F>): ConditionRead<F> {
  try {
    return { ok: true, condition: judge() }
  } catch (error) {
    if (error instanceof WrongHere) return { ok: false, message: error.message, at: error.at }
    throw error
  }
}

function toCondition<F extends Field>(expression: Expression, fieldOf: FieldOf<F>): Condition<F> {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { kind: expression.kind, operands: operandsOf(expression, fieldOf) }
    case 'not':
      return not(toCondition(expression.operand, fieldOf))
    case 'in': {
      const { values, at } = expression
      const field = requireKnownField(expression.field, at, fieldOf)
      return { kind: 'or', operands: values.map((value) => equal(field, value, at)) }
    }
    case 'compare':
      return compared(requireKnownField(expression.field, expression.at, fieldOf), expression)
  }
}

/** Operands of a chain, which the parser nests to the left as deep as it is long. */
function operandsOf<F extends Field>(
  chain: Extract<Expression, { kind: 'and' | 'or' }>,
  fieldOf: FieldOf<F>,
): Condition<F>[] {
  const operands: Condition<F>[] = []
  let first: Expression = chain
  for (; first.kind === chain.kind; first = first.left) {
    operands.push(toCondition(first.right, fieldOf))
  }
  return [toCondition(first, fieldOf), ...operands.toReversed()]
}

const not = <F extends Field>(operand: Condition<F>): Condition<F> => ({ kind: 'not', operand })

function requireKnownField<F extends Field>(name: string, at: number, fieldOf: FieldOf<F>): F {
  const field = fieldOf(name.replace(/\.keyword$/, ''))
  if (!field) throw new WrongHere(`there is no field ${name}`, at)
  return field
}

type Compare = { operator: Comparison; value: Literal; at: number }

function compared<F extends Field>(field: F, { operator, value, at }: Compare): Condition<F> {
  switch (operator) {
    case '==':
      return equal(field, value, at)
    case '!=':
      return not(equal(field, value, at))
    case '~=':
      return { kind: 'matches', field, pattern: expressionPattern(String(value)) }
    case '!~=':
      return not({ kind: 'matches', field, pattern: expressionPattern(String(value)) })
    default:
      if (['boolean', 'texts', 'numbers'].includes(field.kind)) {
        throw new WrongHere('this field has no order', at)
      }
      return { kind: 'ordered', field, order: operator, value: comparand(field, value, at) }
  }
}

function equal<F extends Field>(field: F, value: Literal, at: number): Condition<F> {
  if (value === null) return { kind: 'missing', field }
  switch (field.kind) {
    case 'texts':
    case 'json': // by its text
      return { kind: 'equals', field, value: String(value) }
    case 'numbers':
      return { kind: 'equals', field, value: wholeNumber(value, at) }
    default:
      return { kind: 'equals', field, value: comparand(field, value, at) }
  }
}

function wholeNumber(value: string | number | boolean, at: number) {
  const number = typeof value === 'boolean' ? Number.NaN : Number(value)
  if (!Number.isInteger(number) || Math.abs(number) > 2_147_483_647) {
    throw new WrongHere('this field holds whole numbers', at)
  }
  return number
}

function comparand({ kind }: Field, value: Literal, at: number): Comparand {
  if (kind === 'number' || (kind === 'json' && typeof value === 'number')) {
    if (typeof value !== 'number') throw new WrongHere('this field is a number', at)
    return value
  }
  if (kind === 'boolean') {
    if (typeof value !== 'boolean') throw new WrongHere('this field is true or false', at)
    return value
  }
  return kind === 'time' ? timeOf(value, at) : String(value)
}

/** Earliest time of PostgreSQL: the year 4713 before Christ. */
const earliest = Date.UTC(-4712, 0, 1)

/** Times are ms since 1970 or ISO 8601. */
function timeOf(value: Literal, at: number) {
  const time = typeof value === 'boolean' || value === null ? undefined : new Date(value)
  if (!time || Number.isNaN(time.getTime()) || time.getTime() < earliest) {
    throw new WrongHere('this field is a time', at)
  }
  return time
}
