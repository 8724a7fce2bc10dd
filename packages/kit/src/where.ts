import type { SqlCondition } from '@longreach/authorization/sql-condition'
import { type RawBuilder, sql } from 'kysely'

/** Condition of the authorization rules for a Kysely query. */
export const where = ({ strings, values }: SqlCondition): RawBuilder<boolean> =>
  sql<boolean>(strings as unknown as TemplateStringsArray, ...values) // a template's parts
