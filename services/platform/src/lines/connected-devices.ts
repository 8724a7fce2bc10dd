import { publishAll } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import { platformContract } from '../contract.ts'
import type { ServiceDb } from '../database.ts'
import { insertMoments } from '../moments/moment-store.ts'

/** Device that came or went: at which time, and from which address it came. */
type ConnectionChange = { deviceId: string; at: Date; ip: string | null }

type Changed = { device_id: string; org: string; at: Date; ip: string | null }

/** Locks the states of devices until the transaction ends; always in one order. */
export const lockDevices = (tx: Kysely<ServiceDb>, deviceIds: readonly string[]) =>
  sql`select from platform.device_state where device_id = any(${deviceIds}::text[])
    order by device_id for update`.execute(tx)

/** Marks devices as connected; those that are so already stay as they are. */
export async function markConnected(tx: Kysely<ServiceDb>, changes: readonly ConnectionChange[]) {
  const { rows } = await sql<Changed>`
    update platform.device_state s set connected = true, connected_at = c.at, last_ip = c.ip
    from ${rowsOf(changes)} where s.device_id = c.device_id and not s.connected
    returning s.device_id, s.org, c.at, c.ip`.execute(tx)
  await writeChanges(tx, true, rows)
}

/**
 * Marks devices as disconnected that have no line any more. The caller has locked them, so that no
 * line is taken meanwhile.
 */
export async function markDisconnected(
  tx: Kysely<ServiceDb>,
  changes: readonly Omit<ConnectionChange, 'ip'>[],
) {
  const { rows } = await sql<Changed>`
    update platform.device_state s set connected = false, disconnected_at = c.at
    from ${rowsOf(changes.map((change) => ({ ...change, ip: null })))}
    where s.device_id = c.device_id and s.connected
      and not exists (select from platform.line l where l.device_id = s.device_id)
    returning s.device_id, s.org, c.at, c.ip`.execute(tx)
  await writeChanges(tx, false, rows)
}

const rowsOf = (changes: readonly ConnectionChange[]) => sql`unnest(
  ${changes.map(({ deviceId }) => deviceId)}::text[], ${changes.map(({ at }) => at)}::timestamptz[],
  ${changes.map(({ ip }) => ip)}::text[]) as c (device_id, at, ip)`

async function writeChanges(tx: Kysely<ServiceDb>, connected: boolean, rows: readonly Changed[]) {
  if (rows.length === 0) return
  await tx
    .insertInto('connection_event')
    .values(rows.map((row) => ({ ...row, connected })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const moments = rows.map(({ ip, ...row }) => ({
    ...row,
    made_at: row.at,
    data: { connected, ip },
  }))
  await insertMoments(
    tx,
    moments.map((moment) => ({ ...moment, kind: 'connection' })),
  )
  await publishAll(
    tx,
    platformContract.events.deviceConnection,
    rows.map(({ device_id: deviceId, at }) => ({ deviceId, connected, at: at.getTime() })),
  )
}
