import { type RawBuilder, sql } from 'kysely'

/** A text without case and accents, as devices are searched: `äpfel`, `Apfel` and `APFEL` are one. */
const foldedText = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(normalize(lower(${text} collate "und-x-icu"), NFKD), '[\\u0300-\\u036f]', '', 'g')`

/** Does a column, or columns put together, hold what somebody typed? */
export const containsText = (text: RawBuilder<unknown>, typed: string) =>
  sql<boolean>`strpos(${foldedText(text)}, ${foldedText(sql`${typed}::text`)}) > 0`
