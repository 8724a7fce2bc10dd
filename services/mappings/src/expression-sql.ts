import { failure } from '@longreach/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from './contract.ts'
import { type Comparison, type Expression, type Literal, parseExpression } from './expression.ts'

/** A field that may be searched: its SQL, and how values of it compare. */
export type Field = {
  sql: RawBuilder<unknown>
  kind: 'text' | 'number' | 'boolean' | 'time' | 'texts' | 'numbers' | 'json'
  /** A folded text that holds this field's and has an index. */
  within?: RawBuilder<unknown>
}
type FieldOf = (name: string) => Field | undefined

/** The condition that an expression means; 400 with the place for one that is none. */
export function conditionOf(source: string, fieldOf: FieldOf): RawBuilder<boolean> {
  const parsed = parseExpression(source)
  if (!parsed.ok) throw badExpression(parsed.message, parsed.at)
  return conditionIn(parsed.expression, fieldOf)
}

const badExpression = (why: string, at: number) =>
  failure(mappingsContract, 'bad_expression', {
    message: `The search is not understood at character ${at + 1}: ${why}.`,
    field: 'data',
    position: at,
    reason: why,
    fault: 'expression_place',
    place: at + 1,
  })

/** SQL's unknown is false in a `where`; what is negated says so itself: neither costs an index. */
function conditionIn(expression: Expression, fieldOf: FieldOf): RawBuilder<boolean> {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const left = conditionIn(expression.left, fieldOf)
      const right = conditionIn(expression.right, fieldOf)
      return expression.kind === 'and'
        ? sql<boolean>`(${left} and ${right})`
        : sql<boolean>`(${left} or ${right})`
    }
    case 'not':
      return negated(conditionIn(expression.operand, fieldOf))
    case 'in': {
      const field = requireKnownField(expression.field, expression.at, fieldOf)
      const any = expression.values.map((value) => equalsValue(field, value, expression.at))
      return sql<boolean>`(${sql.join(any, sql` or `)})`
    }
    case 'compare': {
      const field = requireKnownField(expression.field, expression.at, fieldOf)
      return compared(field, expression)
    }
  }
}

/** Unknown values make a condition false, and its negation true. */
const negated = (condition: RawBuilder<boolean>) => sql<boolean>`(${condition} is not true)`

function requireKnownField(name: string, at: number, fieldOf: FieldOf): Field {
  const field = fieldOf(name.replace(/\.keyword$/, ''))
  if (!field) throw badExpression(`there is no field ${name}`, at)
  return field
}

type Compare = { operator: Comparison; value: Literal; at: number }

function compared(field: Field, { operator, value, at }: Compare): RawBuilder<boolean> {
  switch (operator) {
    case '==':
      return equalsValue(field, value, at)
    case '!=':
      return negated(equalsValue(field, value, at))
    case '~=':
      return matchesText(field, String(value))
    case '!~=':
      return negated(matchesText(field, String(value)))
    default:
      return sql<boolean>`(${ordered(field, value, at)} ${sql.raw(operator)} ${bound(field, value, at)})`
  }
}

/** SQL condition: the field has this value, or one of its values is this one. */
export function equalsValue(field: Field, value: Literal, at = 0): RawBuilder<boolean> {
  if (value === null) return sql<boolean>`(${field.sql} is null)`
  if (field.kind === 'texts') return sql<boolean>`(${field.sql} @> array[${String(value)}]::text[])`
  if (field.kind === 'numbers') {
    return sql<boolean>`(${field.sql} @> array[${wholeNumber(value, at)}]::int[])`
  }
  if (field.kind === 'json') return sql<boolean>`(${textOfJson(field)} = ${String(value)})`
  return sql<boolean>`(${field.sql} = ${bound(field, value, at)})`
}

function wholeNumber(value: Literal, at: number) {
  const number = typeof value === 'boolean' ? Number.NaN : Number(value)
  if (!Number.isInteger(number) || Math.abs(number) > 2_147_483_647) {
    throw badExpression('this field holds whole numbers', at)
  }
  return number
}

const textOfJson = ({ sql: column }: Field) => sql<string>`(${column} #>> '{}')`

/** Left side of an ordered comparison in SQL; json is compared as a number or a text, by the type of the value. */
function ordered(field: Field, value: Literal, at: number) {
  if (['boolean', 'texts', 'numbers'].includes(field.kind))
    throw badExpression('this field has no order', at)
  if (field.kind !== 'json') return field.sql
  return typeof value === 'number'
    ? sql`(case when jsonb_typeof(${field.sql}) = 'number' then ${textOfJson(field)}::double precision end)`
    : textOfJson(field)
}

function bound({ kind }: Field, value: Literal, at: number): RawBuilder<unknown> {
  const type = typeof value
  if (kind === 'number' || (kind === 'json' && type === 'number')) {
    if (type !== 'number') throw badExpression('this field is a number', at)
    return sql`${value}::double precision`
  }
  if (kind === 'boolean') {
    if (type !== 'boolean') throw badExpression('this field is true or false', at)
    return sql`${value}::boolean`
  }
  if (kind === 'time') return sql`${timeOf(value, at)}::timestamptz`
  return sql`${String(value)}`
}

/** Times are ms since 1970 or ISO 8601. */
function timeOf(value: Literal, at: number) {
  const time = typeof value === 'boolean' || value === null ? undefined : new Date(value)
  if (!time || Number.isNaN(time.getTime())) throw badExpression('this field is a time', at)
  return time
}

/** SQL condition: the field contains the text in any case and accents; with `*` for any text, the whole field must match. */
export function matchesText(field: Field, text: string): RawBuilder<boolean> {
  const pattern = likePattern(text)
  if (field.kind === 'texts' || field.kind === 'numbers') {
    return sql<boolean>`exists (select from unnest(${field.sql}) as one
      where mappings.folded(one::text) like ${pattern})`
  }
  const content = field.kind === 'json' ? textOfJson(field) : sql`${field.sql}::text`
  const itself = sql<boolean>`(mappings.folded(${content}) like ${pattern})`
  if (!field.within) return itself
  const anywhere = pattern.startsWith('%') ? pattern : `%${pattern}`
  return sql<boolean>`(${field.within} like ${`${anywhere}%`.replace(/%%$/, '%')} and ${itself})`
}

/** The same as `mappings.folded` in the database: without case and accents. */
export const foldText = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')

export function likePattern(text: string) {
  const escaped = foldText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)
  return escaped.includes('*') ? escaped.replaceAll('*', '%') : `%${escaped}%`
}
