import { heldTime } from '@longreach/kit/held-time'
import { sql } from 'kysely'

/** Time in ms since 1970 in a statement; one that PostgreSQL does not know stands for the first or the last. */
export const timeOf = (ms: number) => sql`${heldTime(ms)}::timestamptz`
