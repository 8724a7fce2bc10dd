import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Rule } from '@longreach/rules/rule'
import type { AlarmsDb, OccurrenceRow } from '../database.ts'
import { versionKey } from '../occurrences/rule-facts.ts'
import { occurrences } from './visible.ts'

type Db = Kysely<AlarmsDb>

/** Occurrence with what the wire shows of other tables. */
export type AlarmRow = OccurrenceRow & {
  label: string
  groups: number[]
  command: 'WAITING' | 'SENT' | 'UNANSWERED' | null
  first_name: string | null
  shelf: StoredShelf | null
}

/** Shelf of an open alarm, as the wire shows it. */
type StoredShelf = {
  id: string
  until: number
  by: string
  reason: string
  note: string
  orgResourceId: string
}

type Asked = {
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
  limit: number
  offset?: number
}

/** Alarms of a condition in an order. Which ones is found first, as their rows are large. */
export async function selectAlarms(db: Db, asked: Asked): Promise<AlarmRow[]> {
  const { where, order, limit, offset = 0 } = asked
  const { rows } = await sql<AlarmRow>`
    with page as materialized (
      select o.id, row_number() over (order by ${order}) as place from ${occurrences}
      where ${where} order by ${order} limit ${sql.lit(limit)} offset ${offset})
    select o.*, d.label, d.groups,
      (select c.state from alarms.command c where c.occurrence = o.id and c.state <> 'DONE' and o.open
        order by c.asked_at desc limit 1) as command,
      case when o.first_out <> o.source then
        (select f.name from alarms.occurrence f where f.device_id = o.device_id
          and f.source = o.first_out order by f.start_t desc limit 1) end as first_name,
      (select jsonb_build_object('id', s.id, 'until', floor(extract(epoch from s.until) * 1000), 'by', s.by_user,
          'reason', s.reason, 'note', s.note, 'orgResourceId', s.org)
        from alarms.shelf s where s.id = o.shelf_id and o.open and s.ended_at is null) as shelf
    from page join alarms.occurrence o using (id) join alarms.device d on d.device_id = o.device_id
    order by page.place`.execute(db)
  return rows
}

/** Versions of the rules of alarms, by `versionKey`. */
export async function alarmRules(db: Db, rows: readonly AlarmRow[]): Promise<Map<string, Rule>> {
  const keys = new Map(
    rows.flatMap(({ rule_id: ruleId, rule_version: ruleVersion }) => {
      const named = ruleId !== null && ruleVersion !== null && { ruleId, ruleVersion }
      return named ? [[versionKey(named), named] as const] : []
    }),
  )
  if (keys.size === 0) return new Map()
  const named = [...keys.values()]
  const { rows: found } = await sql<{ rule_id: string; version: number; rule: unknown }>`
    select v.rule_id, v.version, v.rule from alarms.rule_version v
    join unnest(${named.map(({ ruleId }) => ruleId)}::uuid[], ${named.map(({ ruleVersion }) => ruleVersion)}::int[])
      as asked(rule_id, version) using (rule_id, version)`.execute(db)
  return new Map(
    found.map(({ rule_id: ruleId, version: ruleVersion, rule }) => [
      versionKey({ ruleId, ruleVersion }),
      Rule.parse(rule),
    ]),
  )
}

/** Rows up to which a total is counted; of more it is estimated. */
export const countedExactly = 10_000

/** Number of rows of a condition: exact to 10,000, then the planner's estimate. */
export async function countAlarms(db: Db, where: RawBuilder<boolean>) {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (
    select from ${occurrences} where ${where} limit ${sql.lit(countedExactly + 1)}) as found`.execute(
    db,
  )
  const total = rows[0]?.total ?? 0
  return total <= countedExactly ? total : estimateAlarms(db, where, total)
}

/** The planner's estimate of the rows of a condition, of which so many were counted. */
export async function estimateAlarms(db: Db, where: RawBuilder<boolean>, counted: number) {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>`
    explain (format json) select from ${occurrences} where ${where}`.execute(db)
  return Math.max(counted, rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0)
}
