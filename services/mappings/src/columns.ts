import type { ColumnType } from 'kysely'

/** A JSON column: written as text, so that its keys stay in their order. */
export type Json<T> = ColumnType<T, string, string>

/** A model, preset or attributes, as clients posted it. */
export type Tree = Record<string, unknown>

/** The database makes it of other columns. */
export type Derived<T> = ColumnType<T, never, never>
