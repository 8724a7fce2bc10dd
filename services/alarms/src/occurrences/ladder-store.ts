import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'

type Db = Kysely<AlarmsDb>

/** True while the step of a ladder holds for its alarm. */
const holds = sql<boolean>`(o.open and case l.while when 'active' then o.active else o.ack_required end)`

/**
 * Brings the steps of the ladders of changed alarms of rules up to date: new alarms get theirs, steps whose
 * condition is over end, and those of an alarm that came again wait anew. A step while active counts from
 * the raise, one while unacknowledged from the time at which the server heard of it.
 */
export async function followLadders(tx: Db, ids: readonly string[]) {
  if (ids.length === 0) return
  await sql`insert into alarms.ladder_step (occurrence, step, while, after_ms, severity, due_at, state)
    select o.id, step.n, step.one->>'while', (step.one->>'afterMs')::bigint,
      (step.one->>'severity')::smallint,
      case step.one->>'while' when 'active' then o.start_t else o.heard_t end
        + (step.one->>'afterMs')::bigint * interval '1 millisecond', 'WAITING'
    from alarms.occurrence o
    join alarms.rule_version v on v.rule_id = o.rule_id and v.version = o.rule_version
    cross join lateral jsonb_array_elements(v.rule->'ladder') with ordinality as step(one, n)
    where o.id = any(${ids}::text[]) and o.open
    on conflict do nothing`.execute(tx)
  await sql`update alarms.ladder_step l set
      state = case when ${holds} then 'WAITING' else 'ENDED' end,
      due_at = case when ${holds} then o.updated_t + l.after_ms * interval '1 millisecond' else l.due_at end
    from alarms.occurrence o
    where o.id = l.occurrence and o.id = any(${ids}::text[])
      and l.state = case when ${holds} then 'ENDED' else 'WAITING' end`.execute(tx)
}

/** Step of a ladder that is due, and the device of its alarm. */
type DueStep = {
  occurrence: string
  step: number
  severity: number
  due_at: Date
  device_id: string
}

/** Alarms of one transaction. */
const most = 1_000

/** Steps that are due and hold, earliest first; those of suppressed and shelved alarms wait. */
export async function dueSteps(db: Db, at: Date): Promise<DueStep[]> {
  const { rows } = await dueSql(at).execute(db)
  return rows
}

/** As `dueSteps`, for devices that are locked; what another process holds is left. */
export async function lockDueSteps(tx: Db, at: Date, devices: readonly string[]) {
  const { rows } = await sql<DueStep>`${dueSql(at, devices)} for update of l skip locked`.execute(
    tx,
  )
  return rows
}

const dueSql = (at: Date, devices?: readonly string[]) =>
  sql<DueStep>`select l.occurrence, l.step, l.severity, l.due_at, o.device_id
    from alarms.ladder_step l join alarms.occurrence o on o.id = l.occurrence
    where l.state = 'WAITING' and l.due_at <= ${at} and ${holds}
      and not o.suppressed and o.shelf_id is null
      ${devices === undefined ? sql`` : sql`and o.device_id = any(${devices}::text[])`}
    order by l.due_at, l.occurrence, l.step limit ${sql.lit(most)}`

/** Marks steps as done: each of them is taken once. */
export const endSteps = (tx: Db, steps: readonly Pick<DueStep, 'occurrence' | 'step'>[]) =>
  sql`update alarms.ladder_step l set state = 'DONE'
    from unnest(${steps.map(({ occurrence }) => occurrence)}::text[],
      ${steps.map(({ step }) => step)}::int[]) as done(occurrence, step)
    where l.occurrence = done.occurrence and l.step = done.step`.execute(tx)
