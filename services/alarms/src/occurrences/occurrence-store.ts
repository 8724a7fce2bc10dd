import { holdLocks } from '@longreach/kit/locks'
import { publishAll } from '@longreach/kit/events'
import { timelineRecorded } from '@longreach/mappings/time-line-contract'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb, OccurrenceRow } from '../database.ts'
import { occurrencesContract } from './contract.ts'
import { countDevices } from './count-store.ts'
import type { Edits } from './edits.ts'
import { followLadders } from './ladder-store.ts'
import { isOpen, type Occurrence } from './occurrence.ts'
import { isOfPulse } from './pulse-alarm.ts'

type Db = Kysely<AlarmsDb>

/** Holds devices until the transaction ends: their alarms are changed by one transaction at a time. */
export const lockDevices = (tx: Db, deviceIds: Iterable<string>) =>
  holdLocks(tx, 'alarms.device', [...new Set(deviceIds)])

/** Occurrences to read: sources of devices, and ids. */
type Wanted = {
  sources: readonly { deviceId: string; source: string }[]
  ids: readonly string[]
}

/** Occurrences of ids, and the newest and the open ones of sources. */
export async function readOccurrences(tx: Db, { sources, ids }: Wanted): Promise<Occurrence[]> {
  const devices = sources.map(({ deviceId }) => deviceId)
  const names = sources.map(({ source }) => source)
  const { rows } = await sql<OccurrenceRow>`
    with asked as (
      select distinct device_id, source from unnest(${devices}::text[], ${names}::text[]) as each(device_id, source))
    select o.* from alarms.occurrence o where o.id = any(${ids}::text[])
    union
    select o.* from asked, lateral (
      select * from alarms.occurrence n
      where n.device_id = asked.device_id and n.source = asked.source and not n.withdrawn
      order by n.start_t desc limit 1) o
    union
    select o.* from asked, lateral (
      select * from alarms.occurrence n
      where n.device_id = asked.device_id and n.source = asked.source and n.open limit 1) o`.execute(
    tx,
  )
  return rows
}

/** A time before all alarms that PostgreSQL knows. */
const earliest = Date.UTC(-4000, 0, 1)

type After = { deviceId: string; source: string; since: number }

/** Occurrences of sources that were active after a time, with those that were withdrawn. */
export async function occurrencesAfter(tx: Db, asked: readonly After[]): Promise<Occurrence[]> {
  const { rows } = await sql<OccurrenceRow>`
    select o.* from unnest(${asked.map(({ deviceId }) => deviceId)}::text[],
      ${asked.map(({ source }) => source)}::text[],
      ${asked.map(({ since }) => new Date(Math.max(since, earliest)).toISOString())}::timestamptz[]) as each(device_id, source, since)
    join alarms.occurrence o using (device_id, source)
    where o.start_t > each.since or o.active or o.returned_t > each.since`.execute(tx)
  return rows
}

/** Occurrences of ids on devices that are locked. */
export async function occurrencesById(tx: Db, ids: readonly string[]): Promise<Occurrence[]> {
  const rows = await tx
    .selectFrom('occurrence')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  return rows
}

/** Columns that change; the others stay as they were at the beginning. */
const columns = [
  'id org device_id source rule_id rule_version instance name description tag class severity level max_severity',
  'start_t heard_t updated_t returned_t acked_t acked_by closed_t active ack_required reset_required cleared',
  'enabled action platform_action withdrawn unconfirmed suppressed late shelf_id first_out group_name raises',
  'value words comment comments assignee certificate changes needs_ack needs_reset paths last_t bits ladder_severity',
].flatMap((line) => line.split(' '))
const named = sql.raw(columns.map((column) => `"${column}"`).join(', '))
const setAll = sql.raw(columns.map((column) => `"${column}" = excluded."${column}"`).join(', '))

/**
 * Writes what was changed, with its history, the counts of the devices and the events, in the caller's
 * transaction. One statement for all rows of a table.
 */
export async function writeEdits(tx: Db, edits: Edits): Promise<Publish> {
  const rows = [...edits.changed]
  if (rows.length === 0) return async () => undefined
  // The index of open ones is checked row by row: those that end come first.
  const sorted = [...rows.filter((row) => !isOpen(row)), ...rows.filter(isOpen)]
  await sql`insert into alarms.occurrence (${named})
    select ${named} from jsonb_populate_recordset(null::alarms.occurrence, ${JSON.stringify(sorted)}::jsonb)
    on conflict (id) do update set ${setAll}`.execute(tx)
  await sql`insert into alarms.change (occurrence, n, t, heard_t, kind, by_user, comment, state)
    select occurrence, n, t, heard_t, kind, by_user, comment, state
    from jsonb_populate_recordset(null::alarms.change, ${JSON.stringify(edits.history)}::jsonb)`.execute(
    tx,
  )
  await endCommands(
    tx,
    rows.map(({ id }) => id),
  )
  await followLadders(
    tx,
    rows.flatMap(({ id, rule_id }) => (rule_id === null ? [] : [id])),
  )
  const paths = [...new Set(rows.flatMap((row) => row.paths ?? []))]
  if (paths.length > 0)
    await sql`insert into alarms.used_path select unnest(${paths.toSorted()}::text[])
      on conflict do nothing`.execute(tx)
  const counted = await countDevices(
    tx,
    rows.map(({ device_id }) => device_id).filter((id) => !isOfPulse(id)),
  )
  const moments = edits.moments.filter(({ deviceId }) => !isOfPulse(deviceId))
  return async (into) => {
    await publishAll(into, occurrencesContract.events.alarmsChanged, edits.announced)
    await publishAll(into, occurrencesContract.events.alarmCounts, counted)
    await publishAll(into, timelineRecorded, moments)
  }
}

/** Ends commands of alarms that do not ask for them any more: the device answered, or they are over. */
const endCommands = (tx: Db, ids: readonly string[]) =>
  sql`update alarms.command c set state = 'DONE' from alarms.occurrence o
    where o.id = c.occurrence and o.id = any(${ids}::text[]) and c.state in ('WAITING', 'SENT')
      and (not o.open or (c.command = 'ack' and not o.ack_required)
        or (c.command = 'reset' and (o.active or not o.reset_required)))`.execute(tx)

/** Publishes the events of what was written. */
export type Publish = (tx: Db) => Promise<void>
