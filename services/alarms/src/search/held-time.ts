import { sql } from 'kysely'

/** Time in ms since 1970 that a Date and PostgreSQL know; others stand for the first or the last of them. */
export const timeOf = (ms: number) => {
  const held = Math.min(Math.max(ms, Date.UTC(-4000, 0, 1)), Date.UTC(9999, 0, 1))
  return sql`${new Date(held)}::timestamptz`
}
