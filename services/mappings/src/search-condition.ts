import { failure } from '@longreach/kit/errors'
import { equalCondition, readCondition } from '@longreach/search-expression/condition'
import type { Literal } from '@longreach/search-expression/expression'
import { type SqlField, toSql } from '@longreach/search-expression/expression-sql'
import type { RawBuilder } from 'kysely'
import { mappingsContract } from './contract.ts'

/** The condition that an expression means; 400 with the place for one that is none. */
export const conditionOf = (
  source: string,
  fieldOf: (name: string) => SqlField | undefined,
): RawBuilder<boolean> => understood(readCondition(source, fieldOf))

/** SQL condition: the field has this value, or one of its values is this one. */
export const equalsValue = (field: SqlField, value: Literal): RawBuilder<boolean> =>
  understood(equalCondition(field, value))

function understood(read: ReturnType<typeof readCondition<SqlField>>) {
  if (read.ok) return toSql(read.condition)
  const { message, at } = read
  throw failure(mappingsContract, 'bad_expression', {
    message: `The search is not understood at character ${at + 1}: ${message}.`,
    field: 'data',
    position: at,
    reason: message,
    fault: 'expression_place',
    place: at + 1,
  })
}
