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
  const fields = searchedFields.map(fieldFor(visible)).filter((one) => one !== undefined)
  const words = search.split(/\s+/).filter((word) => word !== '')
  return Promise.all(
    words.slice(0, mostWords).map(async (word) => {
      const pattern = plainPattern(word)
      const matches = sql.join(
        fields.map((one) => matchesSql(one, pattern)),
        sql` or `,
      )
      return sql<boolean>`(${await indexed(db, pattern)} and (${matches}))`
    }),
  )
}

/** Condition with an index that holds for every alarm in which a word is; true where none helps. */
async function indexed(db: Kysely<AlarmsDb>, pattern: TextPattern): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ device_id: string }>`select device_id from alarms.device
    where alarms.folded(label) like ${toLike(pattern)} limit ${sql.lit(mostDevices + 1)}`.execute(
    db,
  )
  if (rows.length > mostDevices) return sql<boolean>`true`
  const ids = rows.map(({ device_id: id }) => id)
  return sql<boolean>`(alarms.folded(alarms.alarm_words(o.name, o.tag, o.description)) like ${toLike(within(pattern))}
    or o.device_id = any(${ids}::text[]))`
}
