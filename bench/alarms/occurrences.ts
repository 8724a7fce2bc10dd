import type { Pool } from 'pg'

type Filled = { rows: number; devices: number; from: number; to: number; org: string }

/**
 * Occurrences of devices with four rules each, as a plant with some bad actors has them: a tenth of the sources
 * raises half of the alarms, some within seconds.
 */
export async function fillOccurrences(pool: Pool, { rows, devices, from, to, org }: Filled) {
  await pool.query(
    `insert into alarms.device (device_id, org, label, groups)
    select lpad(n::text, 22, 'd'), $1, 'Oven ' || n, array[n % 8] from generate_series(1, $2::int) n`,
    [org, devices],
  )
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
        from (select n, 1 + floor(random() * 40)::int as rule from generate_series(1, $2::int) n) ruled) timed) shaped
    on conflict do nothing`,
    [org, rows, devices, from / 1_000, to / 1_000],
  )
  await pool.query('vacuum analyze alarms.occurrence')
}
