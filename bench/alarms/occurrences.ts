import type { Pool } from 'pg'

type Filled = {
  rows: number
  devices: number
  from: number
  to: number
  org: string
  /** Number of the first row; those before it are there already. */
  first?: number
}

/**
 * Occurrences of devices with four rules each, as a plant with some bad actors has them: a tenth of the sources
 * raises half of the alarms, some within seconds. They are written in the order in which they come.
 */
export async function fillOccurrences(
  pool: Pool,
  { rows, devices, from, to, org, first = 1 }: Filled,
) {
  await pool.query(
    `insert into alarms.device (device_id, org, label, groups)
    select lpad(n::text, 22, 'd'), $1, 'Oven ' || n, array[n % 8] from generate_series(1, $2::int) n
    on conflict do nothing`,
    [org, devices],
  )
  const addIndexes = await withoutIndexes(pool)
  await pool.query(
    `insert into alarms.occurrence (id, org, device_id, source, rule_id, rule_version, instance, name, description,
      severity, level, max_severity, start_t, heard_t, updated_t, returned_t, acked_t, acked_by, closed_t, active,
      ack_required, reset_required, last_t, bits, paths, value, words)
    select lpad(n::text, 22, 'a'), $1, lpad(device::text, 22, 'd'), 'r:' || rule_id || ':', rule_id::uuid, 1, '',
      'Rule ' || rule, 'Oven ' || device || ': zone at 231.5 °C, limit 230 °C', severity, severity, severity,
      start, start, back, back, acked, 'ann', acked, false, false, false, back, null, array['Oven:1/temp'],
      '{"type":"double","value":231.5}', '{"value":231.5,"limit":230,"values":{}}'
    from (select n, device, rule, severity, start, start + length as back, start + length * 1.5 as acked,
        '00000000-0000-4000-8000-' || lpad(rule::text, 12, '0') as rule_id
      from (select n, rule, case when rule % 20 = 0 then 6 when rule % 5 = 0 then 3 else 1 end as severity,
          1 + case when random() < 0.5 then floor(random() * $3 / 10) else floor(random() * $3) end as device,
          to_timestamp($4::float8 + random() * ($5::float8 - $4::float8)) + n * interval '1 microsecond' as start,
          interval '1 second' * exp(random() * 8) as length
        from (select n, 1 + floor(random() * 40)::int as rule from generate_series($6::int, $6 + $2::int - 1) n) ruled)
          timed) shaped
    order by start
    on conflict do nothing`,
    [org, rows, devices, from / 1_000, to / 1_000, first],
  )
  await addIndexes()
  await pool.query('vacuum analyze alarms.occurrence')
}

/** Drops the indexes that are no constraints, as filling is faster without; the answer creates them again. */
async function withoutIndexes(pool: Pool) {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'alarms.occurrence'::regclass and not indisunique`,
  )
  for (const { name } of rows) await pool.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await pool.query(definition)
  }
}

/** Version 1 of the rules of the occurrences, with the texts that the wire shows. */
export async function addRules(pool: Pool, org: string) {
  await pool.query(
    `with made as (
      insert into alarms.rule (id, org, version, below, name, model, enabled, rule, created_at, updated_at, updated_by)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 1, true, 'Rule ' || n, 'Oven:1', true,
        jsonb_build_object('name', 'Rule ' || n, 'kind', 'condition', 'scope', '{"model":"Oven:1"}'::jsonb,
          'when', '{"path":"Oven:1/temp","op":">","value":230,"clear":225}'::jsonb,
          'levels', '[{"severity":3}]'::jsonb, 'texts', '{"en":"Zone at {value} °C, limit {limit} °C"}'::jsonb),
        now(), now(), 'ann' from generate_series(1, 40) n returning *)
    insert into alarms.rule_version (rule_id, version, below, rule, at, by_user)
    select id, 1, true, rule, now(), 'ann' from made`,
    [org],
  )
}

/** The newest occurrences of so many sources are open, and counted for their devices. */
export async function openSome(pool: Pool, org: string, count: number) {
  await pool.query(
    `update alarms.occurrence o set active = true, ack_required = (n % 3 = 0), returned_t = null, acked_t = null,
      closed_t = null from (select id, row_number() over () as n from (
        select distinct on (device_id, source) id from alarms.occurrence
        order by device_id, source, start_t desc limit $1) newest) chosen
    where o.id = chosen.id`,
    [count],
  )
  await pool.query(
    `insert into alarms.device_count (device_id, org, n, max)
    select device_id, $1, array[n0, n1, n2, n3, n4, n5, n6]::int[], worst from (
      select device_id, max(level) as worst, ${Array.from({ length: 7 }, (_, n) => `count(*) filter (where level = ${n}) as n${n}`).join(', ')}
      from alarms.occurrence where open group by device_id) counted`,
    [org],
  )
  await pool.query('vacuum analyze alarms.occurrence')
  await pool.query('vacuum analyze alarms.device_count')
}

/** Open alarms that nobody has acknowledged, spread over the devices, beside those of `fillOccurrences`. */
export async function fillOpenAlarms(
  pool: Pool,
  { rows, devices, org }: Omit<Filled, 'from' | 'to'>,
) {
  await pool.query(
    `insert into alarms.occurrence (id, org, device_id, source, rule_id, rule_version, instance, name, description,
      severity, level, max_severity, start_t, heard_t, updated_t, active, ack_required, reset_required, last_t, paths,
      value, words, changes)
    select lpad(n::text, 22, 'o'), $1, lpad((1 + n % $3::int)::text, 22, 'd'), 'r:' || rule || ':' || n,
      rule::uuid, 1, n::text, 'Zone ' || n || ' too hot', 'Zone at 231.5 °C, limit 230 °C', 5, 5, 5,
      now(), now(), now(), true, true, false, now(), array['Oven:1/zones/' || n % 50 || '/temp'],
      '{"type":"double","value":231.5}', '{"value":231.5,"limit":230,"values":{}}', 1
    from (select n, '00000000-0000-4000-8000-' || lpad((n % 40)::text, 12, '0') as rule
      from generate_series(1, $2::int) n) ruled`,
    [org, rows, devices],
  )
  await pool.query('vacuum analyze alarms.occurrence')
}
