import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { occurrences } from '../search/visible.ts'
import { stepsOfLogarithm } from './figure-rules.ts'
import type { Shift } from './shift-times.ts'

type Db = Kysely<AlarmsDb>
type Range = { from: number; to: number }
/** Rows of the caller, and the time of the report. */
export type Asked = Range & { rows: RawBuilder<boolean> }

const timestamp = (ms: number) => sql`${new Date(ms)}::timestamptz`

/** Raises in the time: the first ones, and those that came again within an occurrence. */
const raises = ({ rows, from, to }: Asked, columns: RawBuilder<unknown>) => sql`
  select ${columns}, date_part('epoch', o.start_t) as t, date_part('epoch', o.acked_t - o.start_t) as ack
  from ${occurrences} where ${rows} and not o.withdrawn
    and o.start_t >= ${timestamp(from)} and o.start_t < ${timestamp(to)}
  union all
  select ${columns}, date_part('epoch', c.t), null
  from alarms.change c join ${occurrences} on o.id = c.occurrence
  where c.kind = 'again' and c.t >= ${timestamp(from)} and c.t < ${timestamp(to)} and ${rows} and not o.withdrawn`

export type TimeCount = {
  minute: number | null
  shift: number | null
  severity: number | null
  step: number | null
  count: number
}

/** Raises by minute (`minute` is set), and by shift, severity and time to acknowledgement (`shift` is set). */
export async function countTimes(db: Db, asked: Asked, shifts: readonly Shift[]) {
  const begins = shifts.map(({ from }) => from / 1_000)
  const { rows } = await sql<TimeCount>`
    select minute, shift, severity, step, count(*)::int as count from (
      select floor(t / 60)::int as minute, width_bucket(t, ${begins}::float8[]) - 1 as shift, severity,
        round(ln(1 + case when ack < 0 then 0 else ack end) * ${sql.lit(stepsOfLogarithm)})::int as step
      from (${raises(asked, sql`o.level as severity`)}) as raise) as timed
    group by grouping sets ((minute), (shift, severity, step)) order by minute`.execute(db)
  return rows
}

type SourceCount = {
  device_id: string
  device: string
  rule_id: string | null
  name: string
  count: number
  chattered: number
}

type Frequent = {
  sources: number
  chattering: number
  total: number
  worst: SourceCount[]
  rules: Omit<SourceCount, 'device' | 'device_id'>[]
  devices: { device_id: string; device: string; count: number; most_often: string }[]
}

/** Number of a source; two of them have one by a chance of one in 10^10. */
const place = sql`hashtextextended(o.source, hashtextextended(o.device_id, 0)) as place`

/**
 * Sources, rules and devices with the most raises, and the numbers of all sources and of those that chatter. The
 * raises are sorted with the place of their rows alone; names are read for one row of each source.
 */
export async function countSources(db: Db, asked: Asked): Promise<Frequent> {
  const { rows } = await sql<Frequent>`
    with counted as materialized (
      select count(*)::int as count, (count(*) filter (where t - third <= 60))::int as chattered, max(newest) as newest
      from (select place, newest, t, lag(t, 2) over (partition by place order by t) as third
        from (${raises(asked, sql`${place}, o.ctid as newest`)}) as raise) as timed
      group by place),
    source as materialized (
      select o.device_id, d.label as device, o.rule_id::text as rule_id, o.name, count, chattered
      from counted join ${occurrences} on o.ctid = counted.newest),
    worst as (select * from source order by count desc, device_id, name limit 10),
    by_rule as (select rule_id, max(name) as name, sum(count)::int as count, sum(chattered)::int as chattered
      from source group by rule_id, case when rule_id is null then name end order by 3 desc, 2 limit 10),
    by_device as (select device_id, max(device) as device, sum(count)::int as count,
        (array_agg(name order by count desc))[1] as most_often
      from source group by device_id order by 3 desc, 1 limit 10)
    select (select count(*) from source)::int as sources,
      (select count(*) from source where chattered > 0)::int as chattering,
      coalesce((select sum(count) from source), 0)::int as total,
      coalesce((select json_agg(worst) from worst), '[]') as worst,
      coalesce((select json_agg(by_rule) from by_rule), '[]') as rules,
      coalesce((select json_agg(by_device) from by_device), '[]') as devices`.execute(db)
  const [found] = rows
  if (!found) throw new Error('a query without a table answers one row')
  return found
}

type RuleLengths = {
  rule_id: string
  median: number | null
  most80: number | null
  beyond90: number | null
  devices: { device_id: string; count: number }[]
}

/** Durations of the newest 2,000 alarms of rules, and their distance from the limit at the raise. */
export async function lengthsOfRules(db: Db, { rows: visible, from, to }: Asked, ids: string[]) {
  const { rows } = await sql<RuleLengths>`
    select asked.rule_id, lengths.*, on_devices.devices
    from unnest(${ids}::uuid[]) as asked(rule_id), lateral (
      select percentile_disc(0.5) within group (order by length) as median,
        percentile_disc(0.8) within group (order by length) as most80,
        percentile_disc(0.9) within group (order by beyond) as beyond90
      from (select date_part('epoch', o.returned_t - o.start_t) as length,
          case when jsonb_typeof(o.words -> 'value') = 'number' and jsonb_typeof(o.words -> 'limit') = 'number'
            then abs((o.words ->> 'value')::float8 - (o.words ->> 'limit')::float8) end as beyond
        from ${occurrences} where o.rule_id = asked.rule_id and ${visible} and not o.withdrawn
          and o.start_t >= ${timestamp(from)} and o.start_t < ${timestamp(to)}
        order by o.start_t desc limit 2000) as newest) as lengths, lateral (
      select coalesce(json_agg(each), '[]') as devices from (
        select o.device_id, count(*)::int as count
        from (select device_id, org, withdrawn, paths from alarms.occurrence n where n.rule_id = asked.rule_id
          and n.start_t >= ${timestamp(from)} and n.start_t < ${timestamp(to)} order by n.start_t desc limit 20000) as o
        join alarms.device d on d.device_id = o.device_id
        where ${visible} and not o.withdrawn
        group by o.device_id order by count desc, o.device_id limit 20) as each) as on_devices`.execute(
    db,
  )
  return rows
}

type LongRow = { id: string; device_id: string; device: string; name: string; start_t: Date }

const dayMs = 86_400_000

/** Alarms that stood for over a day at a time: those that were active, or those that nobody had acknowledged. */
export async function longAlarms(db: Db, { rows: visible }: Asked, at: number, kind: Long) {
  const { rows } = await sql<LongRow & { total: number }>`
    select o.id, o.device_id, d.label as device, o.name, o.start_t, (count(*) over ())::int as total
    from ${occurrences} where ${visible} and not o.withdrawn and o.start_t <= ${timestamp(at - dayMs)}
      and (o.open or o.updated_t > ${timestamp(at)}) and (o.closed_t is null or o.closed_t > ${timestamp(at)})
      and ${conditionsOf[kind](at)}
    order by o.start_t, o.id limit 10`.execute(db)
  return { count: rows[0]?.total ?? 0, rows }
}

type Long = 'standing' | 'stale'

const conditionsOf: Record<Long, (at: number) => RawBuilder<boolean>> = {
  standing: (at) => sql<boolean>`(o.active or o.returned_t > ${timestamp(at)})`,
  stale: (at) => sql<boolean>`(o.ack_required or o.acked_t > ${timestamp(at)})`,
}
