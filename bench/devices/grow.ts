import type { Client } from '@longreach/kit/client'
import type { mappingsContract } from '@longreach/mappings/contract'
import type pg from 'pg'

type Portal = Client<typeof mappingsContract>

type Growth = { devices: number; presetIds: readonly string[]; organizations: readonly string[] }

/** Devices spread over organizations, written as the service writes them but in one statement. */
export async function grow(pool: pg.Pool, { devices, presetIds, organizations }: Growth) {
  await pool.query(
    `insert into mappings.device (id, organization, realm, label, description, serial_number, preset_id,
      tags, attributes, groups, created_at, updated_at, connected, last_connection_at, configuration_applied,
      configuration_error)
    select translate(substr(encode(sha256(n::text::bytea), 'base64'), 1, 22), '+/', '-_'),
      ($3::text[])[1 + n % cardinality($3::text[])], 'acme',
      (array['Oven','Press','Mixer','Kiln','Dryer','Pump','Étuve'])[1 + n % 7] || ' ' || n,
      case when n % 3 = 0 then 'Hall ' || n % 40 else '' end, 'SN-' || lpad(n::text, 7, '0'),
      case when n % 4 > 0 then ($2::text[])[1 + n % cardinality($2::text[])] end,
      case when n % 5 = 0 then array['line ' || n % 60, 'shift'] else '{}' end,
      jsonb_build_object('ip', '10.' || n % 250 || '.' || n / 250 % 250 || '.7', 'firmware', '4.' || n % 30,
        'geoLocation', jsonb_build_array(35 + (n * 7 % 3000) / 100.0, -10 + (n * 13 % 4500) / 100.0)),
      array[1, 2 + n % 100], now() - n * interval '1 minute', now() - n % 90000 * interval '1 second',
      n % 3 > 0, now() - n % 5000 * interval '1 minute', n % 4 > 1, case when n % 200 = 7 then 'refused' end
    from generate_series(1, $1::int) n`,
    [devices, presetIds, organizations],
  )
  await pool.query('vacuum analyze')
}

/** Open alarms on one device of so many, in its attributes as mappings writes them. */
export async function raiseAlarms(pool: pg.Pool, oneOf: number) {
  await pool.query(
    `update mappings.device set attributes = attributes
      || jsonb_build_object('alarms', jsonb_build_object('n_active_' || severity, 1), 'alarms_max_severity', severity)
    from (select id as of, row_number() over (order by id)::int as n, abs(hashtext(id)) % 7 as severity
      from mappings.device) told
    where id = told.of and told.n % $1 = 0`,
    [oneOf],
  )
  await pool.query('vacuum analyze mappings.device')
}

/** Ids of twenty presets of one model, as many as a plant has. */
export async function makePresets(portal: Portal, organization: string) {
  const query = { organization }
  const t = { type: 'double' }
  await portal.createModel({
    query,
    body: { name: 'Bench', data: { type: 'object', properties: { t } } },
  })
  const leaf = { ...t, mode: 'R', historyPolicy: { enabled: true }, datalink: { source: 'T' } }
  const data = { type: 'object', instanceOf: 'Bench:1.0.0', properties: { t: leaf } }
  const made = Array.from({ length: 20 }, (_, n) =>
    portal.createPreset({ query, body: { name: `Recipe ${n}`, data } }),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}
