import { type RawBuilder, sql } from 'kysely'
import type { Comparand, Condition, Field, Order } from './condition.ts'
import { isAnyText, type TextPattern, toLike, within } from './text-pattern.ts'

/** Field as a column or another SQL expression. */
export type SqlField = Field & {
  sql: RawBuilder<unknown>
  /** A folded text that contains this field's and has an index. */
  within?: RawBuilder<unknown>
  /** Condition of all rows that have the field, for which there is an index. */
  present?: RawBuilder<boolean>
}

/**
 * SQL condition for a `where`. Unknown is false there; what is negated says so itself: neither costs
 * an index.
 */
export function toSql(condition: Condition<SqlField>): RawBuilder<boolean> {
  switch (condition.kind) {
    case 'and':
      return sql<boolean>`(${sql.join(condition.operands.map(toSql), sql` and `)})`
    case 'or':
      return sql<boolean>`(${sql.join(condition.operands.map(toSql), sql` or `)})`
    case 'not':
      return sql<boolean>`(${toSql(condition.operand)} is not true)`
    case 'missing':
      return sql<boolean>`(${condition.field.sql} is null)`
    case 'equals':
      return ofPresent(condition.field, equals(condition.field, condition.value))
    case 'ordered':
      return ofPresent(condition.field, ordered(condition.field, condition.order, condition.value))
    case 'matches':
      return ofPresent(condition.field, matchesSql(condition.field, condition.pattern))
  }
}

/** Condition that only rows with the field meet, said twice where that has an index. */
const ofPresent = ({ present }: SqlField, meets: RawBuilder<boolean>) =>
  present ? sql<boolean>`(${present} and ${meets})` : meets

function equals(field: SqlField, value: Comparand): RawBuilder<boolean> {
  switch (field.kind) {
    case 'texts':
      return sql<boolean>`(${field.sql} @> array[${value}]::text[])`
    case 'numbers':
      return sql<boolean>`(${field.sql} @> array[${value}]::int[])`
    case 'json':
      return sql<boolean>`(${textOfJson(field)} = ${value})`
    default:
      return sql<boolean>`(${field.sql} = ${bound(value)})`
  }
}

const textOfJson = ({ sql: column }: SqlField) => sql<string>`(${column} #>> '{}')`

/** Texts are ordered by their characters, whatever the order of the database is. */
function ordered(field: SqlField, order: Order, value: Comparand): RawBuilder<boolean> {
  const operator = sql.raw(order)
  if (typeof value !== 'string') {
    return sql<boolean>`(${numberOrTime(field)} ${operator} ${bound(value)})`
  }
  const text = field.kind === 'json' ? textOfJson(field) : field.sql
  return sql<boolean>`(${text} collate "C" ${operator} ${value})`
}

const numberOrTime = (field: SqlField) =>
  field.kind === 'json'
    ? sql`(case when jsonb_typeof(${field.sql}) = 'number' then ${textOfJson(field)}::double precision end)`
    : field.sql

function bound(value: Comparand): RawBuilder<unknown> {
  if (value instanceof Date) return sql`${value}::timestamptz`
  if (typeof value === 'number') return sql`${value}::double precision`
  return typeof value === 'boolean' ? sql`${value}::boolean` : sql`${value}`
}

/** SQL condition that a field, or one of its values, matches a pattern in any case and accents. */
export function matchesSql(field: SqlField, pattern: TextPattern): RawBuilder<boolean> {
  const like = toLike(pattern)
  if (field.kind === 'texts' || field.kind === 'numbers') {
    return sql<boolean>`exists (select from unnest(${field.sql}) as one
      where ${foldedSql(sql`one::text`)} like ${like})`
  }
  // Clients ask for everything by a pattern: to fold each text would cost more than the rest of the search.
  if (isAnyText(pattern)) return sql<boolean>`(${contentOf(field)} is not null)`
  const itself = sql<boolean>`(${foldedSql(contentOf(field))} like ${like})`
  return field.within
    ? sql<boolean>`(${field.within} like ${toLike(within(pattern))} and ${itself})`
    : itself
}

/** Text of a field in which patterns are looked for; times in UTC. */
function contentOf(field: SqlField) {
  switch (field.kind) {
    case 'json':
      return textOfJson(field)
    case 'time':
      return sql`((${field.sql} at time zone 'UTC')::text || '+00')`
    case 'number':
      return sql`${field.sql}::double precision::text`
    default:
      return sql`${field.sql}::text`
  }
}

/** Text as it is searched, without case and accents; the same as `foldText`. */
const foldedSql = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(normalize(lower(${text} collate "und-x-icu"), NFKD), ${sql.lit(String.raw`[\u0300-\u036f]`)}, '', 'g')`
