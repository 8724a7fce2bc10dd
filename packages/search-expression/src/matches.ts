import type { Comparand, Condition, Field, Order } from './condition.ts'
import { doubleText, jsonText, timeText } from './database-text.ts'
import { foldText, patternTest, type TextPattern } from './text-pattern.ts'

/**
 * Field of a row in memory. `read` gives what the column would hold: a text, number or boolean, a list of
 * them, a time (Date or ms), or a JSON value. Undefined is no value, and so is null where it is not JSON.
 */
export type RowField<Row> = Field & { read: (row: Row) => unknown }

/** Test of rows that selects those that the SQL of the same condition selects. */
export function matches<Row>(condition: Condition<RowField<Row>>): (row: Row) => boolean {
  switch (condition.kind) {
    case 'and': {
      const tests = condition.operands.map(matches)
      return (row) => tests.every((test) => test(row))
    }
    case 'or': {
      const tests = condition.operands.map(matches)
      return (row) => tests.some((test) => test(row))
    }
    case 'not': {
      const test = matches(condition.operand)
      return (row) => !test(row)
    }
    default: {
      const { read } = condition.field
      const test = valueTest(condition)
      return (row) => test(read(row))
    }
  }
}

type OfOneField = Exclude<Condition<Field>, { kind: 'and' | 'or' | 'not' }>

function valueTest(condition: OfOneField): (value: unknown) => boolean {
  const { field } = condition
  switch (condition.kind) {
    case 'missing':
      return (value) => value === undefined || (value === null && field.kind !== 'json')
    case 'equals':
      return (value) => isEqual(field, value, condition.value)
    case 'ordered':
      return (value) => isOrdered(field, value, condition)
    case 'matches':
      return contentTest(field, condition.pattern)
  }
}

function isEqual({ kind }: Field, value: unknown, wanted: Comparand) {
  switch (kind) {
    case 'texts':
    case 'numbers':
      return Array.isArray(value) && value.includes(wanted)
    case 'json':
      return jsonText(value) === wanted
    case 'time':
      return wanted instanceof Date && msOf(value) === wanted.getTime()
    default:
      return value === wanted
  }
}

function isOrdered(
  { kind }: Field,
  value: unknown,
  { order, value: limit }: { order: Order; value: Comparand },
) {
  const difference =
    typeof limit === 'string'
      ? differenceOfTexts(kind === 'json' ? jsonText(value) : value, limit)
      : differenceOfNumbers(kind === 'time' ? msOf(value) : value, Number(limit))
  if (difference === undefined) return false
  switch (order) {
    case '>':
      return difference > 0
    case '>=':
      return difference >= 0
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
  }
}

/** PostgreSQL places NaN above all other numbers. */
function differenceOfNumbers(value: unknown, limit: number) {
  if (typeof value !== 'number') return undefined
  if (Number.isNaN(value)) return 1
  return value === limit ? 0 : value - limit
}

/** Order of texts by their characters, as of collation "C"; JavaScript orders by halves of characters. */
function differenceOfTexts(value: unknown, limit: string) {
  if (typeof value !== 'string') return undefined
  const shorter = Math.min(value.length, limit.length)
  for (let at = 0; at < shorter; at += 1) {
    const difference = placeOf(value.charCodeAt(at)) - placeOf(limit.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return value.length - limit.length
}

/** Halves of characters above U+FFFF stand behind all others. */
function placeOf(unit: number) {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function msOf(value: unknown) {
  return value instanceof Date ? value.getTime() : value
}

function contentTest({ kind }: Field, pattern: TextPattern): (value: unknown) => boolean {
  const test = patternTest(pattern)
  if (kind === 'texts' || kind === 'numbers') {
    return (value) => Array.isArray(value) && value.some((one) => test(foldText(String(one))))
  }
  return (value) => {
    const content = searchedText(kind, value)
    return content !== undefined && test(foldText(content))
  }
}

/** Text of a value in which patterns are looked for. */
function searchedText(kind: Field['kind'], value: unknown): string | undefined {
  if (kind === 'json') return jsonText(value)
  const known = kind === 'time' ? msOf(value) : value
  switch (typeof known) {
    case 'number':
      return kind === 'time' ? timeText(known) : doubleText(known)
    case 'boolean':
      return String(known)
    case 'string':
      return known
    default:
      return undefined
  }
}
