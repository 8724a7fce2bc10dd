import { matchesSql } from '@longreach/search-expression/expression-sql'
import {
  plainPattern,
  type TextPattern,
  toLike,
  within,
} from '@longreach/search-expression/text-pattern'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { fieldFor } from './alarm-fields.ts'
import type { Visible } from './visible.ts'

/** Words of a search that count. */
const mostWords = 20
/** Devices of a word up to which the index of their alarms is of use. */
const mostDevices = 200

const searchedFields = ['name', 'description', 'deviceLabel', 'tag']

/** Conditions of a search: each of its words is in the name, the description, the tag or the device's label. */
export function wordConditions(
  db: Kysely<AlarmsDb>,
  visible: Pick<Visible, 'allValues'>,
  search: string,
): Promise<RawBuilder<boolean>[]> {
  const words = search.split(/\s+/).filter((word) => word !== '')
  return Promise.all(
    words.slice(0, mostWords).map((word) => wordSql(db, visible, plainPattern(word))),
  )
}

/**
 * Condition of a word. What is in the folded texts together is in one of them, but for a word with `*`, which has to
 * match one as a whole; who does not see every value must not find it in the description.
 */
async function wordSql(
  db: Kysely<AlarmsDb>,
  visible: Pick<Visible, 'allValues'>,
  pattern: TextPattern,
): Promise<RawBuilder<boolean>> {
  const inTexts = toLike(within(pattern))
  const together = sql<boolean>`(o.searched like ${inTexts} or ${await onDevices(db, pattern)})`
  if (inTexts === toLike(pattern) && !visible.allValues) return together
  const fields = searchedFields.map(fieldFor(visible)).filter((one) => one !== undefined)
  const each = fields.map((one) => matchesSql(one, pattern))
  return sql<boolean>`(${together} and (${sql.join(each, sql` or `)}))`
}

/** Condition of the alarms of the devices with a word in their label: by their ids, unless these are many. */
async function onDevices(db: Kysely<AlarmsDb>, pattern: TextPattern): Promise<RawBuilder<boolean>> {
  const labeled = sql`select device_id from alarms.device where alarms.folded(label) like ${toLike(pattern)}`
  const { rows } = await sql<{
    device_id: string
  }>`${labeled} limit ${sql.lit(mostDevices + 1)}`.execute(db)
  if (rows.length > mostDevices) return sql<boolean>`o.device_id in (${labeled})`
  return sql<boolean>`o.device_id = any(${rows.map(({ device_id: id }) => id)}::text[])`
}
