import { createHash } from 'node:crypto'
import { createSecrets } from '@longreach/kit/secrets'
import type pg from 'pg'
import { type Calls, makePreset } from '../../e2e/src/calls.ts'
import { owner } from '../../e2e/src/server-group.ts'
import { createCertificates } from './certificates.ts'

const label = 'Storm'
/** Model path of the value that the devices send. */
export const modelPath = `${label}:1/double`

type Options = { pool: pg.Pool; call: Calls; count: number; masterKey: string }
type Made = { id: string; serial: string; certificate: Buffer }

/**
 * Devices with one preset, each with a group and a certificate of its own, as the services write them but many in one
 * statement: the API makes some twenty in a second.
 */
export async function makeFleet({ pool, call, count, masterKey }: Options) {
  const presetId = await makePreset(call, owner.organization, label)
  const { rows } = await pool.query<{ id: string; certificate: string; sealed_key: Buffer }>(
    'select id, certificate, sealed_key from platform.certificate_authority where current',
  )
  const [authority] = rows
  if (!authority) throw new Error('no authority')
  const { id, certificate, sealed_key: sealed } = authority
  const secrets = createSecrets(Buffer.from(masterKey, 'hex'))
  const pkcs8 = secrets.open(`certificate-authority:${id}`, sealed)
  const nameOf = (device: string) => `${owner.organization}/${device}`
  const makes = await createCertificates({ id, certificate, pkcs8 }, nameOf(namesOf(0).id))
  const devices: Made[] = []
  for (let n = 0; n < count; n += 1) {
    const names = namesOf(n)
    const { serial } = names
    devices.push({ ...names, certificate: makes.make({ commonName: nameOf(names.id), serial }) })
  }
  for (let from = 0; from < count; from += atOnce) {
    const some = devices.slice(from, from + atOnce)
    await insert(pool, { some, from, presetId, authority: id, notAfter: makes.notAfter })
  }
  await pool.query('vacuum analyze')
  return devices
}

const atOnce = 5_000

/** Id of a device and the serial number of its certificate. */
function namesOf(n: number) {
  const bytes = createHash('sha256').update(`storm ${n}`).digest()
  bytes[0] = (bytes[0] ?? 0) & 0x7f
  bytes[16] = ((bytes[16] ?? 0) & 0x7f) | 0x40
  return { id: bytes.toString('base64url', 0, 16), serial: bytes.toString('hex', 16, 32) }
}

type Insert = { some: Made[]; from: number; presetId: string; authority: string; notAfter: Date }

async function insert(pool: pg.Pool, { some, from, presetId, authority, notAfter }: Insert) {
  const ids = some.map(({ id }) => id)
  const labels = some.map((_, n) => `${label} ${from + n}`)
  const { organization } = owner
  await pool.query(
    `with given as (select * from unnest($1::text[], $2::text[]) as g (id, label)),
      org as (select id from core.organization where resource_id = $3),
      device as (insert into core.device (id, label, organization_id)
        select given.id, label, org.id from given, org returning id),
      own as (insert into core.security_policy (organization_id, name, type, device_id)
        select org.id, label, 'SELF_DEVICE', given.id from given, org returning id, device_id)
    insert into core.policy_device (policy_id, device_id)
    select id, device_id from own union all
    select p.id, device.id from core.security_policy p join org on org.id = p.organization_id, device
    where p.type = 'ALL_DEVICES'`,
    [ids, labels, organization],
  )
  await pool.query(
    `insert into mappings.device (id, organization, realm, label, description, serial_number, preset_id, tags,
      attributes, groups, created_at, updated_at, connected)
    select d.id, $2, $2, d.label, '', '', $3, '{}', '{}',
      (select array_agg(policy_id order by policy_id) from core.policy_device where device_id = d.id),
      now(), now(), false from core.device d where d.id = any($1)`,
    [ids, organization, presetId],
  )
  await pool.query(
    `insert into platform.device_state (device_id, org, realm, label, groups, registered_at, connected,
      introspection, configuration_applied, received_messages, received_bytes, refused_messages)
    select id, organization, realm, label, groups, now(), false, '', false, 0, 0, 0
    from mappings.device where id = any($1)`,
    [ids],
  )
  await pool.query(
    `insert into platform.device_certificate (serial, authority, realm, device_id, issued_at, not_after, asked_from)
    select serial, $3, $4, id, now(), $5, '127.0.0.1' from unnest($1::text[], $2::text[]) as g (id, serial)`,
    [ids, some.map(({ serial }) => serial), authority, organization, notAfter],
  )
}
