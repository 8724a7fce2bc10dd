import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { mostCounted, personConditions, personOrder, type PersonQuestion } from './person-filter.ts'

type Executor = Kysely<CoreDb>
type Where = {
  realm: string
  /** Conditions on `u` beyond those of the question: who may be found at all. */
  among: readonly RawBuilder<boolean>[]
  asked: PersonQuestion
}

/**
 * Ids of one page of people in order, whether it is the last, and how many match, or `mostCounted`.
 * Few matches are all fetched by the index on their text and put in order; of many, the index that is
 * in order is walked until the page is full. Walking for few would read everybody.
 */
export async function findPeople(db: Executor, { realm, among, asked }: Where) {
  const conditions = [sql<boolean>`u.realm = ${realm}`, ...personConditions(asked, realm), ...among]
  const where = sql.join(conditions, sql` and `)
  const counted = await sql<{ total: number }>`select count(*) as total from (
    select from core.app_user u where ${where} limit ${mostCounted}) matching`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const { columns, direction } = personOrder(asked)
  const order = sql.join(columns.map((column) => sql.raw(`${column} ${direction}`)))
  const { page, pageSize } = asked
  const limits = sql`order by ${order} limit ${pageSize + 1} offset ${page * pageSize}`
  const found =
    total < mostCounted
      ? sql<{ id: number }>`
          with found as materialized (select u.id from core.app_user u where ${where})
          select u.id from core.app_user u join found on found.id = u.id ${limits}`
      : sql<{ id: number }>`select u.id from core.app_user u where ${where} ${limits}`
  const ids = (await found.execute(db)).rows.map(({ id }) => id)
  return { ids: ids.slice(0, pageSize), total, last: ids.length <= pageSize }
}
